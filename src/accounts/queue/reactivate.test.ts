import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { type ManualClock, manualClock } from "../../kernel/clock/index.ts";
import { silentLog } from "../../kernel/log/index.ts";
import type { PlanDeps } from "../plan/plan-deps.ts";
import { newRecords, type Records } from "../testing/records.ts";
import { noGovernor } from "../work/governor-contract.ts";
import { reactivate } from "./reactivate.ts";
import { recoverStuck } from "./recover-stuck.ts";

let database: TestDatabase;
let records: Records;
let clock: ManualClock;
let deps: PlanDeps;
let account: string;

const anna = { operator: "anna", owner: "anna", isAdmin: false };

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.sql`delete from workspaces.workspaces`;
  records = await newRecords(database.sql);
  clock = manualClock(new Date("2026-11-16T12:00:00Z"));
  deps = { sql: database.sql, clock, log: silentLog, governor: noGovernor, chance: () => 0 };
  account = await records.anAccount();
});

const aTask = async (at: string, accountId = account) =>
  records.aTask(
    { account_id: accountId, object_id: await records.anObject(), chat_id: await records.aChat() },
    { scheduled_time: new Date(at) },
  );

async function taken(at = clock.now()): Promise<{ id: string; claim_token: string }> {
  const [task] = await database.sql<{ id: string; claim_token: string }[]>`
    select id, claim_token from accounts.take_task(${records.workspaceId}, ${account}, ${at})`;
  if (!task) throw new Error("there was nothing to take");
  return task;
}

async function flooded(seconds: number): Promise<string> {
  const { id, claim_token } = await taken();
  await database.sql`
    select accounts.flood_account(${records.workspaceId}, ${id}, ${claim_token}, ${seconds}, 'ждать', '{"code": "flood_wait"}',
      ${clock.now()})`;
  return id;
}

const row = async (id: string) => (await database.sql`select * from accounts.queue where id = ${id}`)[0];

describe("an account is switched on again", () => {
  // covers accounts: 13. Reactivation resumes
  it("not before the wait is over, unless it is forced", async () => {
    await aTask("2026-11-16T12:00:00Z");
    await flooded(900);
    clock.advance(899_000);
    await expect(reactivate(deps, records.workspaceId, account, anna)).rejects.toMatchObject({
      code: "account_flood_wait",
      headers: { "retry-after": "1" },
    });
    expect(await reactivate(deps, records.workspaceId, account, { ...anna, force: true })).toMatchObject({
      resumed: 1,
    });
  });

  // covers accounts: 13. Reactivation resumes
  it("with an empty slate, and what waits gets fresh times: the flooded task, then what was late, then the rest", async () => {
    const first = await aTask("2026-11-16T12:00:00Z");
    const late = await aTask("2026-11-16T12:05:00Z");
    const later = await aTask("2026-11-16T12:31:00Z");
    await flooded(900);
    clock.set(new Date("2026-11-16T12:30:00Z"));
    expect(await reactivate(deps, records.workspaceId, account, anna)).toEqual({ resumed: 1, expired: 0 });
    const [its] = await database.sql`select * from accounts.accounts where id = ${account}`;
    expect(its).toMatchObject({
      is_active: true,
      last_error: null,
      stopped_code: null,
      flood_until: null,
      flood_seconds: null,
    });
    expect(await row(first)).toMatchObject({
      status: "pending",
      reason: null,
      scheduled_time: new Date("2026-11-16T12:30:00Z"),
    });
    expect((await row(late))?.scheduled_time).toEqual(new Date("2026-11-16T12:35:01Z"));
    expect((await row(later))?.scheduled_time).toEqual(new Date("2026-11-16T12:40:02Z"));
    const [event] = await database.sql`
      select * from workspaces.events where workspace_id = ${records.workspaceId} and action = 'account_reactivated'`;
    expect(event?.meta).toMatchObject({ operator: "anna", was: "flood_wait", resumed: 1 });
  });

  // covers accounts: 13. Reactivation resumes
  it("on another day what was flooded has ended, and what waited goes on", async () => {
    const first = await aTask("2026-11-16T12:00:00Z");
    const late = await aTask("2026-11-16T12:05:00Z");
    await flooded(900);
    clock.set(new Date("2026-11-17T06:00:00Z"));
    expect(await reactivate(deps, records.workspaceId, account, anna)).toEqual({ resumed: 0, expired: 1 });
    expect(await row(first)).toMatchObject({ status: "failed", reason: "flood_expired" });
    expect(await row(late)).toMatchObject({
      status: "pending",
      scheduled_time: new Date("2026-11-17T06:00:00Z"),
    });
  });

  it("midnight is the account's own: 23:59 in Moscow and 00:01 are two days", async () => {
    await database.sql`update accounts.accounts set window_from = '00:00', window_to = '24:00'`;
    clock.set(new Date("2026-11-16T20:59:00Z"));
    await aTask("2026-11-16T20:59:00Z");
    await flooded(60);
    clock.set(new Date("2026-11-16T21:01:00Z"));
    expect(await reactivate(deps, records.workspaceId, account, anna)).toEqual({ resumed: 0, expired: 1 });
  });

  it("by its owner alone, and not when only a new sign-in can help", async () => {
    const boris = { operator: "boris", owner: "boris", isAdmin: false };
    await expect(reactivate(deps, records.workspaceId, account, boris)).rejects.toMatchObject({
      code: "not_yours",
    });
    await database.sql`update accounts.accounts set is_active = false, stopped_code = 'session_revoked',
      last_error = 'Сессия аккаунта завершена'`;
    await expect(reactivate(deps, records.workspaceId, account, anna)).rejects.toMatchObject({
      code: "account_inactive",
      message: expect.stringContaining("sign in"),
    });
    await reactivate(deps, records.workspaceId, account, { ...anna, force: true });
  });
});

describe("a task whose worker went silent", () => {
  // covers accounts: 14. Stuck tasks
  it("is taken back after five minutes, with a try counted, and ends with the third", async () => {
    const id = await aTask("2026-11-16T12:00:00Z");
    for (const attempts of [1, 2, 3]) {
      await taken();
      clock.advance(299_000);
      expect(await recoverStuck(deps)).toMatchObject({ found: 0 });
      clock.advance(1_000);
      const last = attempts === 3;
      expect(await recoverStuck(deps)).toMatchObject({ found: 1, reset: last ? 0 : 1, failed: last ? 1 : 0 });
      expect(await row(id)).toMatchObject({
        status: last ? "failed" : "pending",
        attempts,
        reason: "stuck",
        last_error: expect.stringContaining("не завершилась вовремя"),
        ...(!last && { started_at: null }),
      });
    }
    const events = await database.sql`
      select * from workspaces.events where workspace_id = ${records.workspaceId} and action = 'account_stuck'`;
    expect(events).toHaveLength(3);
  });

  // covers accounts: 14. Stuck tasks
  it("can be taken back by a person with other limits, in their workspace alone", async () => {
    const id = await aTask("2026-11-16T12:00:00Z");
    await taken();
    clock.advance(61_000);
    const rule = { thresholdSeconds: 60, maxAttempts: 1, by: "anna" };
    expect(await recoverStuck(deps, { ...rule, workspaceId: crypto.randomUUID() })).toMatchObject({
      found: 0,
    });
    expect(await recoverStuck(deps, { ...rule, workspaceId: records.workspaceId })).toMatchObject({
      found: 1,
      failed: 1,
      tasks: [{ id, status: "failed" }],
    });
    const [event] = await database.sql`
      select * from workspaces.events where workspace_id = ${records.workspaceId} and action = 'account_stuck'`;
    expect(event?.meta).toMatchObject({ operator: "anna", account_id: account });
  });

  it("is no longer its worker's: what that says about it is not heard", async () => {
    const id = await aTask("2026-11-16T12:00:00Z");
    const { claim_token } = await taken();
    clock.advance(300_000);
    await recoverStuck(deps);
    const [told] = await database.sql`
      select accounts.complete_task(${records.workspaceId}, ${id}, ${claim_token}, '1', null, '{}', ${clock.now()}) as heard`;
    expect(told?.heard).toBe(false);
    expect((await row(id))?.status).toBe("pending");
    expect(
      await database.sql`select from accounts.history where workspace_id = ${records.workspaceId}`,
    ).toHaveLength(0);
  });

  it("but what Telegram said about the account is", async () => {
    const id = await aTask("2026-11-16T12:00:00Z");
    const { claim_token } = await taken();
    clock.advance(300_000);
    await recoverStuck(deps);
    const [told] = await database.sql`
      select accounts.flood_account(${records.workspaceId}, ${id}, ${claim_token}, 60, 'ждать', '{"code": "flood_wait"}',
        ${clock.now()}) as heard`;
    expect(told?.heard).toBe(false);
    expect((await row(id))?.status).toBe("pending");
    const [its] = await database.sql`select * from accounts.accounts where id = ${account}`;
    expect(its).toMatchObject({ is_active: false, stopped_code: "flood_wait" });
  });
});
