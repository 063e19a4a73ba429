import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { type DriverWorld, driverSuite } from "../../../tests/support/schedules/driver-suite.ts";
import { demoAccount } from "../../../twins/qstash/store.ts";
import { startTestTwins } from "../../../twins/shared/testing.ts";
import { manualClock } from "../../kernel/clock/index.ts";
import { silentLog } from "../../kernel/log/index.ts";
import { createProviderClient } from "../../kernel/outbound/index.ts";
import { manualTimer } from "../../kernel/worker/index.ts";
import { createQStash } from "../qstash/client.ts";
import { createQStashDriver } from "../qstash/driver.ts";
import { aCategory, aProject, aSeoUser } from "../testing/builders.ts";
import { createArranger } from "./arranger.ts";
import { type Autopublication, columns } from "./autopublications.ts";
import { fireSlot } from "./driver.ts";
import { createOwnClock, createOwnDriver } from "./own-driver.ts";
import { saveSchedule } from "./schedules.ts";
import { weekdays } from "./times.ts";

async function ownWorld(from: Date): Promise<DriverWorld> {
  const database = await testDatabase();
  const { sql } = database;
  const clock = manualClock(from);
  const driver = createOwnDriver({ sql, clock });
  const twins = await startTestTwins();
  const http = createProviderClient();
  const qstash = createQStash({
    ...{ http, root: `${twins.url}/qstash`, token: demoAccount.token, pause: async () => {} },
  });
  const other = createQStashDriver({ sql, clock, qstash, publicUrl: "https://molva.example" });
  const own = createOwnClock({ sql, clock, log: silentLog });
  /** Rounds until nothing is due; returns how long it would sleep. */
  const rounds = async () => {
    for (;;) {
      const restMs = await own.round();
      if (restMs > 0) return restMs;
    }
  };
  return {
    ...{ sql, clock, driver, other },
    async walkTo(instant) {
      for (;;) {
        const restMs = Math.max(await rounds(), 1);
        const left = instant.getTime() - clock.now().getTime();
        if (restMs >= left) break;
        clock.advance(restMs);
      }
      clock.set(instant);
      await rounds();
    },
    async awayUntil(instant) {
      clock.set(instant);
      await rounds();
    },
    async known() {
      const [{ count }] = await sql<[{ count: number }]>`
        select count(*)::int as count from seo.platform_schedules where next_due_at is not null`;
      return count;
    },
    async close() {
      await twins.close();
      await http.close();
      await database.drop();
    },
  };
}

driverSuite("own", ownWorld);

describe("several processes", () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await testDatabase();
  });
  afterAll(() => database.drop());

  async function schedules(count: number, clock = manualClock()) {
    const { sql } = database;
    const whose = await aSeoUser(sql);
    const projectId = await aProject(sql, whose);
    const ids: number[] = [];
    for (let each = 0; each < count; each += 1) {
      const categoryId = await aCategory(sql, whose, { projectId });
      const [{ id: connectionId }] = await sql<[{ id: number }]>`
        insert into seo.platform_connections (workspace_id, project_id, platform_type, credentials, identifier, status)
        values (${whose.workspaceId}, ${projectId}, 'vk', '{}', ${`-${each}`}, 'disconnected') returning id`;
      const place = { categoryId, connectionId };
      ids.push((await saveSchedule({ sql, clock }, whose, place, { days: weekdays, times: ["10:00"] })).id);
    }
    return { whose, ids };
  }

  it("share what is due, and none of it fires twice", async () => {
    const { sql } = database;
    const clock = manualClock(new Date("2026-11-16T06:00:00Z"));
    const { whose } = await schedules(20, clock);
    const driver = createOwnDriver({ sql, clock });
    await createArranger({ sql, log: silentLog, driver }).round();
    clock.set(new Date("2026-11-16T07:00:00Z"));
    const clocks = Array.from({ length: 4 }, () =>
      createOwnClock({ sql, clock, log: silentLog, timer: manualTimer().timer }),
    );
    await Promise.all(clocks.map((each) => each.round()));
    const rows = await sql`select from seo.autopublications where workspace_id = ${whose.workspaceId}`;
    expect(rows).toHaveLength(20);
  });

  it("generate at most so many at once, and people take turns", async () => {
    const { sql } = database;
    await sql`truncate seo.autopublications`;
    const now = new Date("2026-11-17T07:00:00Z");
    const [many, some, one] = [await schedules(5), await schedules(2), await schedules(1)];
    for (const { whose, ids } of [many, some, one])
      for (const scheduleId of ids)
        await fireSlot(sql, { ...whose, scheduleId, localDate: "2026-11-17", slot: "10:00" }, now);
    const claim = async (most: number) => {
      const [slot] = await sql<Autopublication[]>`
        select ${columns(sql)} from seo.claim_autopublication(gen_random_uuid(), interval '1 minute', ${most}, ${now}) a`;
      return slot;
    };
    const claimed = await Promise.all(Array.from({ length: 6 }, () => claim(4)));
    expect(claimed.filter((each) => each !== undefined)).toHaveLength(4);
    const order: number[] = claimed.flatMap((each) => (each ? [each.userId] : []));
    for (let slot = await claim(100); slot; slot = await claim(100)) order.push(slot.userId);
    const [first, second, third] = [many.whose.userId, some.whose.userId, one.whose.userId];
    // Four were claimed at once, in an order that nobody knows: one of each, and the first of the second round.
    const [round, next] = [[first, second, third], order.slice(0, 4)];
    for (const person of round) next.splice(next.indexOf(person), 1);
    expect([...next, order[4]].toSorted()).toEqual([first, second].toSorted());
    expect(order.slice(5)).toEqual([first, first, first]);
  });
});
