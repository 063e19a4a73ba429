import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { type ManualClock, manualClock } from "../../kernel/clock/index.ts";
import type { Outcome } from "../../platforms/index.ts";
import { newRecords, type Records } from "../testing/records.ts";
import type { AccountKey } from "../work/governor-contract.ts";
import { createGovernor, type PaceGovernor } from "./governor.ts";

const minute = 60_000;
const hour = 60 * minute;
const by = { operator: "anna" };
const sent: Outcome = { kind: "sent", providerMessageId: "1", raw: {} };
const refused = (code: string, seconds?: number): Outcome => ({
  kind: "failed",
  error: {
    category: "TRANSIENT",
    scope: "platform",
    code,
    message: code,
    ...(seconds !== undefined && { retryAfterMs: seconds * 1000 }),
  },
});

describe("the governor of accounts", () => {
  let database: TestDatabase;
  let records: Records;
  let clock: ManualClock;
  let governor: PaceGovernor;
  let account: AccountKey;
  let chats: string[];

  beforeAll(async () => {
    database = await testDatabase();
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    // Monday, 10:00 in Moscow.
    clock = manualClock(new Date("2026-11-16T07:00:00Z"));
    records = await newRecords(database.sql);
    governor = createGovernor({ sql: database.sql, clock });
    account = await anAccount();
    // The figures below are these settings', whatever the defaults.
    await governor.adjust(account, { start_per_day: 10, start_copies: 3, spread: 1.5 }, by);
    chats = [];
    for (let count = 0; count < 6; count++) chats.push(await records.aChat());
  });

  const anAccount = async (given = {}): Promise<AccountKey> => ({
    workspaceId: records.workspaceId,
    accountId: await records.anAccount({ connected_at: clock.now(), ...given }),
  });
  const chat = (index: number) => chats[index] ?? "";
  const send = (index: number, text: string, outcome: Outcome = sent, who = account) =>
    governor.noticed(who, chat(index), outcome, text);

  it("lets a new account's first message go, and keeps the next one apart from it", async () => {
    expect(await governor.mayGo(account, chat(0), "Сдаётся студия у парка")).toEqual({ go: true });
    await send(0, "Сдаётся студия у парка");
    const answer = await governor.mayGo(account, chat(1), "Продаётся гараж за вокзалом");
    // An even spread of ten messages over fourteen hours, one and a half times as fast.
    expect(answer).toMatchObject({
      go: false,
      until: new Date("2026-11-16T07:56:00Z"),
      reason: { code: "gap" },
    });
    clock.advance(56 * minute);
    expect(await governor.mayGo(account, chat(1), "Продаётся гараж за вокзалом")).toEqual({ go: true });
  });

  it("says how fast the account may go today, and why, in both languages", async () => {
    expect(await governor.paceOf(account)).toMatchObject({
      todaysCeiling: 10,
      gapSeconds: 3360,
      gapFactor: 11.2,
      copiesPerText: 3,
      breaker: { state: "closed" },
      warnings: [],
      reasons: [
        {
          code: "warm_up",
          ru: expect.stringContaining("разогревается"),
          en: expect.stringContaining("warming up"),
        },
      ],
    });
  });

  it("holds the day's messages at the ceiling until the account's own midnight", async () => {
    await governor.adjust(account, { start_per_day: 2 }, by);
    for (const index of [0, 1]) {
      await send(index, `Объявление ${index === 0 ? "про дом" : "о машине"}`);
      clock.advance(5 * hour);
    }
    const answer = await governor.mayGo(account, chat(2), "Ещё одно");
    expect(answer).toMatchObject({
      go: false,
      until: new Date("2026-11-16T21:00:00Z"),
      reason: {
        code: "daily_ceiling",
        ru: "На сегодня хватит: отправлено 2, безопасный предел аккаунта — 2",
      },
    });
  });

  it("counts near-identical texts over chats and over the workspace's accounts", async () => {
    await governor.adjust(account, { start_per_day: 500, others_weight: 0.5, start_copies: 2 }, by);
    const text = (price: number) =>
      `Двухкомнатная квартира на Садовой, светлая, с ремонтом. Цена ${price} руб. Звоните!`;
    await send(0, text(40_000));
    clock.advance(hour);
    expect(await governor.mayGo(account, chat(1), text(45_000))).toEqual({ go: true });
    await send(1, text(45_000), sent, await anAccount());
    clock.advance(hour);
    const answer = await governor.mayGo(account, chat(2), text(50_000));
    expect(answer).toMatchObject({
      go: false,
      // The other account's copy counts half, so its leaving is not enough; the account's own is.
      until: new Date("2026-11-17T07:00:00Z"),
      reason: { code: "similar_text", en: expect.stringContaining("nearly identical") },
    });
    expect(await governor.mayGo(account, chat(2), "Мотоцикл почти новый, зимовал в гараже")).toEqual({
      go: true,
    });
  });

  it("tells the planner how often each text has room, and that near-identical ones share it", async () => {
    const flat = "<b>Студия у парка</b>, свежий ремонт, новая мебель. Цена 30000";
    const rooms = await governor.textRooms(account, [
      flat,
      flat.replace("30000", "35000"),
      "Гараж у вокзала, сухой",
    ]);
    expect(rooms.map(({ copies }) => copies)).toEqual([3, 3, 3]);
    expect(rooms[0]?.key).toBe(rooms[1]?.key);
    expect(rooms[0]?.key).not.toBe(rooms[2]?.key);
  });

  it("remembers a chat's slow mode by its refusal and waits for it unasked the next time", async () => {
    await governor.adjust(account, { start_per_day: 500 }, by);
    await send(0, "Первое");
    clock.advance(10 * minute);
    await send(0, "Второе", refused("slow_mode", 50 * 60));
    expect(await governor.mayGo(account, chat(0), "Второе")).toMatchObject({
      go: false,
      reason: { code: "slow_mode" },
    });
    clock.advance(51 * minute);
    await send(0, "Второе");
    clock.advance(30 * minute);
    expect(await governor.mayGo(account, chat(0), "Третье")).toMatchObject({
      go: false,
      // An hour after the last message, with a little for Telegram's clock.
      until: new Date("2026-11-16T09:01:02Z"),
      reason: { code: "slow_mode" },
    });
    expect(await governor.mayGo(account, chat(1), "Третье")).toEqual({ go: true });
    expect((await governor.paceOf(account)).warnings).toMatchObject([{ code: "slow_mode", counts: false }]);
  });

  it("slows down after a flood wait and says so", async () => {
    await send(0, "Первое");
    clock.advance(hour);
    await send(1, "Совсем другое", refused("flood_wait", 900));
    expect(await governor.mayGo(account, chat(1), "Совсем другое")).toMatchObject({
      go: false,
      until: new Date("2026-11-16T08:15:00Z"),
      reason: { code: "flood_wait" },
    });
    const pace = await governor.paceOf(account);
    expect(pace.todaysCeiling).toBeLessThan(10);
    expect(pace.warnings).toMatchObject([
      { code: "flood_wait", seconds: 900, counts: true, ru: "ожидание 15 минут" },
    ]);
    expect(pace.reasons.map(({ code }) => code)).toEqual(["flood_wait", "slowed_down", "limit_known"]);
    expect(await events()).toEqual(["account_slowed"]);
  });

  it("rests after a spam restriction, tries a few messages, and trusts again", async () => {
    await send(0, "Первое", refused("peer_flood"));
    expect(await governor.mayGo(account, chat(1), "Другое")).toMatchObject({
      go: false,
      until: new Date("2026-11-19T07:00:00Z"),
      reason: { code: "breaker_open", ru: expect.stringContaining("ограничение за рассылку") },
    });
    expect(await governor.paceOf(account)).toMatchObject({ todaysCeiling: 0, breaker: { state: "open" } });
    clock.advance(72 * hour);
    for (const index of [1, 2, 3]) {
      expect(await governor.paceOf(account)).toMatchObject({
        breaker: { state: "half_open", trialsLeft: 4 - index },
      });
      expect(await governor.mayGo(account, chat(index), `Проба ${"абв"[index - 1]}`)).toEqual({ go: true });
      await send(index, `Проба ${"абв"[index - 1]}`);
      clock.advance(4 * hour);
    }
    expect(await governor.paceOf(account)).toMatchObject({ breaker: { state: "closed" } });
    expect(await events()).toEqual(["account_resting", "account_slowed", "account_trusted_again"]);
  });

  it("can be switched off, for an account or a workspace, and still remembers", async () => {
    await send(0, "Первое");
    await governor.adjust(account, { enabled: false }, by);
    expect(await governor.mayGo(account, chat(1), "Первое")).toEqual({ go: true });
    await send(1, "Первое", refused("flood_wait", 60));
    const pace = await governor.paceOf(account);
    expect(pace).toMatchObject({
      gapFactor: 1,
      reasons: [{ code: "off" }],
      warnings: [{ code: "flood_wait" }],
    });
    expect(pace).not.toHaveProperty("todaysCeiling");
    await governor.adjust(account, { enabled: null }, by);
    expect(await governor.mayGo(account, chat(1), "Первое")).toMatchObject({ go: false });
    await database.sql`
      insert into accounts.settings (workspace_id, key, value)
      values (${records.workspaceId}, 'account_pace', '{"enabled": false}')`;
    expect(await governor.mayGo(account, chat(1), "Первое")).toEqual({ go: true });
  });

  it("refuses a setting out of its bounds and keeps what was there", async () => {
    await expect(governor.adjust(account, { start_per_day: 0 }, by)).rejects.toThrow("start_per_day");
    expect((await governor.paceOf(account)).settings.start_per_day).toBe(10);
  });

  it("learns from sends that end at the same moment one after the other", async () => {
    await Promise.all([0, 1, 2, 3].map((index) => send(index, `Разное ${"абвг"[index]}`)));
    expect(await governor.paceOf(account)).toMatchObject({ sentToday: 4, sentWithoutWarning: 4 });
  });

  it("forgets what is older than two days", async () => {
    await send(0, "Первое");
    clock.advance(49 * hour);
    await send(1, "Второе совсем иное");
    const [row] = await database.sql<[{ sends: number; texts: number }]>`
      select (select count(*)::int from accounts.pace_sends where workspace_id = ${records.workspaceId}) as sends,
        (select count(*)::int from accounts.pace_texts where workspace_id = ${records.workspaceId}) as texts`;
    expect(row).toEqual({ sends: 1, texts: 1 });
  });

  async function events(): Promise<string[]> {
    const rows = await database.sql<{ action: string }[]>`
      select action from workspaces.events
      where workspace_id = ${records.workspaceId} and action like 'account\_%' order by ts, action`;
    return rows.map(({ action }) => action);
  }
});
