import { setImmediate as turnOfTheLoop } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../tests/support/database.ts";
import { watchedSql } from "../../tests/support/watched-sql.ts";
import { manualTimer } from "../kernel/worker/index.ts";
import { aPerson } from "./testing/harness.ts";
import { menu, parcel, survey } from "./testing/parcel.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

/** A running bot that receives nothing; the test moves time, in the database and between rounds. */
async function anIdleBot() {
  const time = manualTimer();
  const { sql, queries } = watchedSql(database.sql);
  const services = { order: async () => ({ number: "17" }), left: [] };
  const person = await aPerson({ sql, flows: [menu, parcel, survey], services, timer: time.timer });
  await person.dialogs.start();
  const restsFor = (milliseconds: number) => expect.poll(() => time.waiting()).toEqual([milliseconds]);
  await restsFor(60_000);
  const says = (command: string) =>
    person.dialogs.receive([{ ...person.next(), kind: "command", command, argument: "" }]);
  return {
    ...{ person, queries, time, restsFor, says },
    async stop() {
      await person.dialogs.stop();
      await sql.end();
    },
  };
}

it("asks the database nothing for a minute while nobody writes, then looks once in case a notice was lost", async () => {
  const { queries, time, restsFor, stop } = await anIdleBot();
  queries.length = 0;
  for (let second = 0; second < 59; second++) {
    time.advance(1_000);
    await turnOfTheLoop();
  }
  expect(queries).toEqual([]);
  time.advance(1_000);
  await expect.poll(() => queries.length).toBe(5);
  await restsFor(60_000);
  expect(queries).toHaveLength(5);
  await stop();
});

it("answers at once when somebody writes", async () => {
  const { person, restsFor, says, stop } = await anIdleBot();
  await says("parcel");
  await expect.poll(() => person.messenger.messages(person.chatId).length).toBe(1);
  await restsFor(60_000);
  await stop();
});

it("comes back when the messenger wanted it to wait, and not before", async () => {
  const { person, queries, time, restsFor, says, stop } = await anIdleBot();
  person.messenger.refusals.push({ kind: "later", afterMs: 7_000 });
  await says("parcel");
  await restsFor(7_000);
  queries.length = 0;
  time.advance(6_999);
  await turnOfTheLoop();
  expect(queries).toEqual([]);
  person.clock.advance(7_000);
  time.advance(1);
  await expect.poll(() => person.messenger.messages(person.chatId).length).toBe(1);
  await stop();
});
