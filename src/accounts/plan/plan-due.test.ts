import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { type ManualClock, manualClock } from "../../kernel/clock/index.ts";
import { silentLog } from "../../kernel/log/index.ts";
import { newRecords, type Records } from "../testing/records.ts";
import { noGovernor } from "../work/governor-contract.ts";
import type { PlanDeps } from "./plan-deps.ts";
import { planDay, planDue } from "./plan-due.ts";
import { dayAt, instantAt } from "./time-zone.ts";

let database: TestDatabase;
let records: Records;
let clock: ManualClock;
let deps: PlanDeps;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.sql`delete from workspaces.workspaces`;
  records = await newRecords(database.sql);
  clock = manualClock(new Date("2026-11-16T05:00:00Z"));
  deps = { sql: database.sql, clock, log: silentLog, governor: noGovernor, chance: () => 0 };
});

const tasks = () => database.sql<
  { id: string; object_id: string; chat_id: string; account_id: string; scheduled_time: Date }[]
>`
  select * from accounts.queue where workspace_id = ${records.workspaceId} order by scheduled_time, id`;

async function linkedChats(accountId: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const id = await records.aChat();
    await records.link(accountId, id);
    ids.push(id);
  }
  return ids;
}

/** An account with objects that go to all of its chats. */
async function anAgency(objects: number, chats: number, given: Record<string, unknown> = {}) {
  const account = await records.anAccount(given);
  const chatIds = await linkedChats(account, chats);
  const objectIds: string[] = [];
  for (let index = 0; index < objects; index += 1) {
    const id = await records.anObject();
    await records.aConfig(id, [{ account_id: account, chat_ids: chatIds }], {
      created_at: new Date(index * 1000),
    });
    objectIds.push(id);
  }
  return { account, chatIds, objectIds };
}

describe("the daily plan", () => {
  // covers accounts: 4. All chats of the first object first
  it("puts every object of every configuration into its account's day: all chats of the first, then of the second", async () => {
    const { chatIds, objectIds } = await anAgency(2, 3);
    expect(await planDue(deps)).toMatchObject({ accounts: 1, created: 6, dropped: 0, skipped: [] });
    const planned = await tasks();
    expect(planned.map(({ object_id, chat_id }) => [object_id, chat_id])).toEqual(
      objectIds.flatMap((object) => chatIds.map((chat) => [object, chat])),
    );
    expect(planned.map(({ scheduled_time }) => scheduled_time.toISOString().slice(11, 19))).toEqual([
      "05:00:00",
      "05:05:01",
      "05:10:02",
      "05:15:03",
      "05:20:04",
      "05:25:05",
    ]);
  });

  // covers accounts: 3. The planner run twice creates nothing new
  it("run again, or by two at once, creates nothing new, whatever became of the tasks", async () => {
    const { account } = await anAgency(2, 3);
    const runs = await Promise.all([planDue(deps), planDue(deps)]);
    expect(runs[0].created + runs[1].created).toBe(6);
    await database.sql`update accounts.queue set status = 'failed', reason = 'test' where object_id =
      (select object_id from accounts.queue order by scheduled_time limit 1)`;
    clock.advance(3_600_000);
    expect((await planDue(deps)).created).toBe(0);
    // Even without the note that the day is planned.
    expect((await planDay(deps, records.workspaceId, [account])).created).toBe(0);
    expect(await tasks()).toHaveLength(6);
  });

  // covers accounts: 2. The limit counts published and planned
  it("counts what is published and what is planned against the daily limit", async () => {
    const { account, chatIds, objectIds } = await anAgency(4, 2, { daily_limit: 5 });
    const other = await records.anObject();
    await database.sql`insert into accounts.history (workspace_id, object_id, chat_id, account_id, published_at, message_id)
      values (${records.workspaceId}, ${other}, ${chatIds[0] ?? ""}, ${account}, ${clock.now()}, '1')`;
    await records.aTask(
      { object_id: objectIds[0] ?? "", chat_id: chatIds[0] ?? "", account_id: account },
      { scheduled_time: new Date("2026-11-16T12:00:00Z") },
    );
    expect(await planDue(deps)).toMatchObject({ created: 3, dropped: 4 });
  });

  // covers accounts: 2. The limit counts published and planned
  it("counts by the account's own midnight: 23:59 belongs to yesterday, 00:00 to today", async () => {
    const { account, chatIds } = await anAgency(1, 2, { daily_limit: 1 });
    const other = await records.anObject();
    const publishedAt = (at: string) => database.sql`
      insert into accounts.history (workspace_id, object_id, chat_id, account_id, published_at, message_id)
      values (${records.workspaceId}, ${other}, ${chatIds[0] ?? ""}, ${account}, ${new Date(at)}, '1')`;
    await publishedAt("2026-11-15T20:59:59Z");
    expect(await planDue(deps)).toMatchObject({ created: 1 });
    await database.sql`delete from accounts.queue`;
    await database.sql`delete from accounts.planned_days`;
    await publishedAt("2026-11-15T21:00:00Z");
    expect(await planDue(deps)).toMatchObject({ created: 0, dropped: 2 });
  });

  // covers accounts: 5. What cannot be is skipped with a reason
  it("skips what cannot be, each with its reason", async () => {
    const account = await records.anAccount();
    const idle = await records.anAccount({ is_active: false });
    const [good = "", closed = ""] = await linkedChats(account, 2);
    await database.sql`update accounts.account_chats set can_write = false where chat_id = ${closed}`;
    const off = await records.aChat({ is_active: false });
    await records.link(account, off);
    const ofBot = await records.aChat({ owner_type: "bot" });
    await records.link(account, ofBot);
    const [foreign = ""] = await linkedChats(idle, 1);
    const gone = crypto.randomUUID();
    const object = await records.anObject();
    await records.aConfig(object, [
      { account_id: account, chat_ids: [good, closed, off, ofBot, foreign, gone] },
      { account_id: idle, chat_ids: [foreign] },
      { account_id: gone, chat_ids: [good] },
    ]);
    const report = await planDay(deps, records.workspaceId, [account, idle, gone]);
    expect(report.created).toBe(1);
    expect(report.skipped.map(({ accountId, chatId, reason }) => [accountId, chatId, reason])).toEqual([
      [account, closed, "chat_not_writable"],
      [account, off, "chat_inactive"],
      [account, ofBot, "chat_of_bot"],
      [account, foreign, "chat_not_linked"],
      [account, gone, "chat_missing"],
      [idle, foreign, "account_inactive"],
      [gone, good, "account_missing"],
    ]);
  });

  it("leaves out objects that are archived or switched off", async () => {
    const { objectIds } = await anAgency(3, 1);
    await database.sql`update accounts.objects set archived_at = now() where id = ${objectIds[0] ?? ""}`;
    await database.sql`update accounts.autopublish set enabled = false where object_id = ${objectIds[1] ?? ""}`;
    expect(await planDue(deps)).toMatchObject({ created: 1, skipped: [{ reason: "object_archived" }] });
  });

  it("is made when the account's own window opens, and made up for when it was missed", async () => {
    await anAgency(1, 1);
    const east = await anAgency(1, 1, { timezone: "Asia/Vladivostok" });
    clock.set(new Date("2026-11-16T04:59:59Z"));
    expect(await planDue(deps)).toMatchObject({ accounts: 1 });
    expect((await tasks()).map(({ account_id }) => account_id)).toEqual([east.account]);
    clock.set(new Date("2026-11-16T11:30:00Z"));
    expect(await planDue(deps)).toMatchObject({ accounts: 1, created: 1 });
    // 22:00 in Moscow: there is nothing left to plan.
    clock.set(new Date("2026-11-17T19:00:00Z"));
    expect(await planDue(deps)).toMatchObject({ accounts: 0 });
    clock.set(new Date("2026-11-18T05:00:00Z"));
    await database.sql`update accounts.queue set status = 'failed', reason = 'test'`;
    expect(await planDue(deps)).toMatchObject({ accounts: 2, created: 2 });
  });

  it("gives what was published yesterday a time that is no repeat", async () => {
    const { account, chatIds, objectIds } = await anAgency(1, 2);
    const at = new Date("2026-11-15T05:00:07Z");
    await database.sql`insert into accounts.history (workspace_id, object_id, chat_id, account_id, published_at, message_id)
      values (${records.workspaceId}, ${objectIds[0] ?? ""}, ${chatIds[0] ?? ""}, ${account}, ${at}, '1')`;
    await planDue(deps);
    const [first, second] = await tasks();
    expect(first).toMatchObject({ chat_id: chatIds[1], scheduled_time: new Date("2026-11-16T05:00:00Z") });
    expect(second).toMatchObject({ chat_id: chatIds[0], scheduled_time: new Date("2026-11-16T05:05:01Z") });
  });

  it("puts what is left of yesterday first", async () => {
    const { account, chatIds, objectIds } = await anAgency(2, 1);
    await records.aTask(
      { object_id: objectIds[1] ?? "", chat_id: chatIds[0] ?? "", account_id: account },
      { scheduled_time: new Date("2026-11-15T15:00:00Z") },
    );
    await planDue(deps);
    expect((await tasks()).map(({ object_id, scheduled_time }) => [object_id, scheduled_time])).toEqual([
      [objectIds[1], new Date("2026-11-16T05:00:00Z")],
      [objectIds[0], new Date("2026-11-16T05:05:01Z")],
    ]);
  });

  it("keeps to what the governor allows", async () => {
    await anAgency(1, 4);
    const governor = { ...noGovernor, paceOf: async () => ({ gapFactor: 3, todaysCeiling: 2 }) };
    expect(await planDue({ ...deps, governor })).toMatchObject({ created: 2, dropped: 2 });
    const [first, second] = await tasks();
    expect(Number(second?.scheduled_time) - Number(first?.scheduled_time)).toBe(901_000);
  });
});

it("the database and the planner read the same clocks: days, windows, changes of the hour", async () => {
  const zones = ["Europe/Moscow", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe"];
  const windows = [
    ["08:00", "22:00"],
    ["00:00", "24:00"],
  ] as const;
  const instants = fc.date({ min: new Date("2026-01-01"), max: new Date("2027-01-01"), noInvalidDate: true });
  const cases = fc.sample(fc.tuple(instants, fc.constantFrom(...zones), fc.constantFrom(...windows)), 300);
  const asked = cases.map(([at, zone, [from, to]]) => ({ at, zone, from, to }));
  const rows = await database.sql<{ day_start: Date; open: boolean }[]>`
    select accounts.day_start(c.zone, c.at) as day_start, accounts.window_open(c.zone, c.from, c.to, c.at) as open
    from rows from (jsonb_to_recordset(${JSON.stringify(asked)}::text::jsonb)
      as (at timestamptz, zone text, "from" time, "to" time)) with ordinality as c
    order by c.ordinality`;
  expect(rows).toHaveLength(300);
  for (const [index, { day_start, open }] of rows.entries()) {
    const { at, zone, from, to } = asked[index] ?? { at: new Date(), zone: "UTC", from: "", to: "" };
    const day = dayAt(at, zone);
    expect(day_start).toEqual(instantAt(day, "00:00", zone));
    expect(open).toBe(at >= instantAt(day, from, zone) && at < instantAt(day, to, zone));
  }
});
