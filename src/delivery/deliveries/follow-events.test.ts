import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { until } from "../../../tests/support/until.ts";
import { manualClock } from "../../kernel/clock/index.ts";
import { connect } from "../../kernel/db/index.ts";
import { aChannel, aWorkspace } from "../testing/builders.ts";
import { type Following, followEvents } from "./follow-events.ts";

const now = new Date("2026-11-15T12:00:00Z");
const at = (seconds: number) => new Date(now.getTime() + seconds * 1000);

let database: TestDatabase;
let workspace: string;
let channel: string;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  workspace = await aWorkspace(database.sql);
  channel = await aChannel(database.sql, workspace);
});

const happen = (action: string, ts: Date, result = "ok") => database.sql`
  insert into workspaces.events (workspace_id, channel_id, ts, action, result)
  values (${workspace}, ${channel}, ${ts}, ${action}, ${result})`;

/** Follows until the test is over; returns the events received so far. */
function follow(filter: NonNullable<Following["filter"]> = {}) {
  const own = connect({ url: database.url, max: 1, name: `follower ${workspace}` });
  const stop = new AbortController();
  const heard: string[] = [];
  const ended = followEvents(own, workspace, {
    clock: manualClock(now),
    filter,
    signal: stop.signal,
    everyMs: 20,
    onEvent: ({ action }) => heard.push(action),
    onTrouble: () => heard.push("(trouble)"),
    onRecovered: () => heard.push("(recovered)"),
  });
  return {
    heard,
    async stop() {
      stop.abort();
      await ended;
      await own.end();
    },
  };
}

it("tells what happens from now on, once each, in order, and nothing older", async () => {
  await happen("enqueue", at(-5));
  const { heard, stop } = follow();
  await happen("send_attempt", at(1));
  await happen("sent", at(2));
  await until("both are heard", () => heard.length >= 2);
  await happen("dead_letter", at(3));
  await until("the third is heard", () => heard.length >= 3);
  await stop();
  expect(heard).toEqual(["send_attempt", "sent", "dead_letter"]);
});

it("finds an event whose transaction ended later than that of a newer one", async () => {
  const { heard, stop } = follow();
  await happen("sent", at(8));
  await until("the newer one is heard", () => heard.length === 1);
  await happen("retry_scheduled", at(1));
  await until("the older one is heard", () => heard.length === 2);
  await stop();
});

it("keeps to one channel, or to what went wrong", async () => {
  const other = await aChannel(database.sql, workspace);
  const followers = [follow({ channel_id: other }), follow({ result: "error" }), follow()];
  await happen("sent", at(1));
  await happen("dead_letter", at(2), "error");
  await until("everything is heard", () => followers[2]?.heard.length === 2);
  await until("the error is heard", () => followers[1]?.heard.length === 1);
  for (const { stop } of followers) await stop();
  expect(followers.map(({ heard }) => heard)).toEqual([[], ["dead_letter"], ["sent", "dead_letter"]]);
});

it("goes on after the connection was lost, without losing an event", async () => {
  const { heard, stop } = follow();
  await happen("enqueue", at(1));
  await until("the first is heard", () => heard.length > 0);
  await database.sql`
    select pg_terminate_backend(pid) from pg_stat_activity where application_name = ${`follower ${workspace}`}`;
  await happen("sent", at(2));
  await until("the second is heard", () => heard.includes("sent"));
  await stop();
  expect(heard.filter((what) => !what.startsWith("("))).toEqual(["enqueue", "sent"]);
});
