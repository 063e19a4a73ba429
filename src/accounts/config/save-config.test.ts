import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { type ManualClock, manualClock } from "../../kernel/clock/index.ts";
import { silentLog } from "../../kernel/log/index.ts";
import type { PlanDeps } from "../plan/plan-deps.ts";
import { planDue } from "../plan/plan-due.ts";
import { newRecords, type Records } from "../testing/records.ts";
import { noGovernor } from "../work/governor-contract.ts";
import type { ConfigChanges } from "./config-schema.ts";
import { deleteConfig, readConfig, saveConfig } from "./save-config.ts";

let database: TestDatabase;
let records: Records;
let clock: ManualClock;
let deps: PlanDeps;
let account: string;
let chats: string[];
let object: string;

const anna = { operator: "anna", owner: "anna", isAdmin: false };
const boris = { operator: "boris", owner: "boris", isAdmin: false };
const admin = { operator: "root", owner: "root", isAdmin: true };

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
  chats = [await records.aChat(), await records.aChat()];
  for (const chat of chats) await records.link(account, chat);
  object = await records.anObject();
});

const save = (changes: ConfigChanges, who = anna, id = object) =>
  saveConfig(deps, records.workspaceId, id, changes, who);
const both = () => [{ account_id: account, chat_ids: chats }];
const waiting = () => database.sql<{ chat_id: string; scheduled_time: Date; origin: string }[]>`
  select chat_id, scheduled_time, origin from accounts.queue where status = 'pending' order by scheduled_time, id`;
const timesOf = async () => (await waiting()).map(({ scheduled_time }) => scheduled_time.toISOString());

describe("a configuration that is saved takes effect at once", () => {
  // covers accounts: 6. A configuration saved at 15:00, 23:00 and 06:00
  it.each([
    ["15:00", "2026-11-16T12:00:00Z", "2026-11-16T12:00:00.000Z", "2026-11-16T12:05:01.000Z"],
    ["23:00", "2026-11-16T20:00:00Z", "2026-11-17T05:00:00.000Z", "2026-11-17T05:05:01.000Z"],
    ["06:00", "2026-11-16T03:00:00Z", "2026-11-16T05:00:00.000Z", "2026-11-16T05:05:01.000Z"],
  ])("at %s in Moscow", async (_, now, first, second) => {
    clock.set(new Date(now));
    const saved = await save({ accounts: both() });
    expect(saved).toMatchObject({ cancelled: 0, skipped: [], left: 0 });
    expect(saved.planned).toHaveLength(2);
    expect(await timesOf()).toEqual([first, second]);
  });

  // covers accounts: 6. A configuration saved at 15:00, 23:00 and 06:00
  it("its tasks follow what the account has planned, and saved again it adds nothing", async () => {
    await save({ accounts: both() });
    const other = await records.anObject();
    await save({ accounts: both() }, anna, other);
    expect(await timesOf()).toEqual([
      "2026-11-16T12:00:00.000Z",
      "2026-11-16T12:05:01.000Z",
      "2026-11-16T12:10:02.000Z",
      "2026-11-16T12:15:03.000Z",
    ]);
    expect((await save({ accounts: both() })).planned).toEqual([]);
    expect(await waiting()).toHaveLength(4);
  });

  it("keeps to the daily limit; the daily plan sees to the rest", async () => {
    await database.sql`update accounts.accounts set daily_limit = 1`;
    expect(await save({ accounts: both() })).toMatchObject({ left: 1 });
    clock.set(new Date("2026-11-17T05:00:00Z"));
    expect(await planDue(deps)).toMatchObject({ created: 0, dropped: 1 });
  });

  // covers accounts: 5. What cannot be is skipped with a reason
  it("says what it cannot do and why", async () => {
    const lonely = await records.aChat();
    const saved = await save({ accounts: [{ account_id: account, chat_ids: [lonely] }] });
    expect(saved).toMatchObject({ planned: [], skipped: [{ chatId: lonely, reason: "chat_not_linked" }] });
  });

  it("two of them at once for one account neither overlap nor wait for each other in a circle", async () => {
    const second = await records.anAccount();
    for (const chat of chats) await records.link(second, chat);
    const objects = await Promise.all(Array.from({ length: 6 }, () => records.anObject()));
    const entries = [account, second].map((account_id) => ({ account_id, chat_ids: chats }));
    await Promise.all(
      objects.map((id, index) => save({ accounts: index % 2 ? entries : entries.toReversed() }, anna, id)),
    );
    const rows = await database.sql<
      { account_id: string; scheduled_time: Date }[]
    >`select * from accounts.queue`;
    expect(rows).toHaveLength(24);
    for (const one of [account, second]) {
      const times = rows
        .filter(({ account_id }) => account_id === one)
        .map(({ scheduled_time }) => +scheduled_time);
      const sorted = times.toSorted((before, after) => before - after);
      expect(sorted.slice(1).map((time, index) => time - (sorted[index] ?? 0))).toEqual(
        Array(11).fill(301_000),
      );
    }
  });
});

describe("what is no longer asked for is called off at once", () => {
  // covers accounts: 6. A configuration saved at 15:00, 23:00 and 06:00
  it("the whole object, or its accounts, switched off", async () => {
    await save({ accounts: both() });
    expect(await save({ enabled: false })).toMatchObject({ cancelled: 2, planned: [] });
    expect(await waiting()).toEqual([]);
    const [task] = await database.sql`select * from accounts.queue limit 1`;
    expect(task).toMatchObject({ status: "failed", reason: "autopublish_off", attempts: 0 });
    expect(await save({ enabled: true })).toMatchObject({ planned: [{}, {}] });
    expect(await save({ accounts_enabled: false })).toMatchObject({ cancelled: 2 });
    expect(await readConfig(database.sql, records.workspaceId, object)).toMatchObject({
      enabled: true,
      accounts_enabled: false,
    });
  });

  it("a chat that was taken out, and the configuration itself", async () => {
    await save({ accounts: both() });
    const [kept = "", dropped = ""] = chats;
    await save({ accounts: [{ account_id: account, chat_ids: [kept] }] });
    expect((await waiting()).map(({ chat_id }) => chat_id)).toEqual([kept]);
    const [task] = await database.sql`select reason from accounts.queue where chat_id = ${dropped}`;
    expect(task).toEqual({ reason: "not_in_config" });
    expect(await deleteConfig(deps, records.workspaceId, object, anna)).toEqual({ cancelled: 1 });
    await expect(deleteConfig(deps, records.workspaceId, object, anna)).rejects.toMatchObject({
      code: "not_found",
    });
  });

  it("but not what a person asked for", async () => {
    const [chat = ""] = chats;
    await records.aTask({ object_id: object, chat_id: chat, account_id: account }, { origin: "manual" });
    await save({ accounts: both(), enabled: false });
    expect((await waiting()).map(({ origin }) => origin)).toEqual(["manual"]);
  });
});

describe("the list of accounts", () => {
  it("empty, it keeps the stored one for later and stops publishing through accounts", async () => {
    await save({ accounts: both(), format: "compact" });
    const saved = await save({ accounts: [] });
    expect(saved).toMatchObject({
      cancelled: 2,
      config: { accounts: both(), accounts_enabled: false, format: "compact", enabled: true },
    });
    expect(await save({ accounts_enabled: true })).toMatchObject({ planned: [{}, {}] });
  });

  it("loses accounts without chats, while the format stays; one that is named twice has the chats of both", async () => {
    const [one = "", two = ""] = chats;
    const second = await records.anAccount();
    const saved = await save({
      format: "compact",
      accounts: [
        { account_id: account, chat_ids: [one] },
        { account_id: second, chat_ids: [] },
        { account_id: account, chat_ids: [two, one] },
      ],
    });
    expect(saved.config).toMatchObject({
      format: "compact",
      accounts: [{ account_id: account, chat_ids: [one, two] }],
    });
  });

  it("names accounts that are there and one's own, of an object that is there and one's own", async () => {
    await expect(save({ accounts: both() }, boris)).rejects.toMatchObject({ code: "not_yours" });
    const his = await records.anObject({ owner: "boris" });
    await expect(save({ accounts: both() }, boris, his)).rejects.toMatchObject({ code: "not_yours" });
    await save({ accounts: both() }, admin, his);
    const nobody = crypto.randomUUID();
    await expect(save({ accounts: [{ account_id: nobody, chat_ids: chats }] })).rejects.toMatchObject({
      code: "unprocessable",
      message: expect.stringContaining(nobody),
    });
    await expect(save({ accounts: both() }, anna, nobody)).rejects.toMatchObject({ code: "not_found" });
  });

  it("every save is in the audit trail", async () => {
    await save({ accounts: both() });
    const [event] = await database.sql`select * from workspaces.events
      where workspace_id = ${records.workspaceId} and action = 'config_changed'`;
    expect(event?.meta).toMatchObject({ operator: "anna", object: "autopublish", object_id: object });
  });
});
