import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { databaseWithJobs, type TestDatabase } from "../../../tests/support/database.ts";
import { startTestTwins, type TestTwins } from "../../../twins/shared/testing.ts";
import { aWorkspace } from "../../delivery/testing/builders.ts";
import { telegramApi } from "../../dialogs/index.ts";
import { type ManualClock, manualClock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { silentLog as log } from "../../kernel/log/index.ts";
import { createProviderClient } from "../../kernel/outbound/index.ts";
import type { NoticeKind } from "../broadcasts/broadcasts.ts";
import { broadcastTask } from "../broadcasts/send-broadcast.ts";
import { meet } from "../people/people.ts";
import { aCategory, aProject } from "../testing/builders.ts";
import { notify } from "./notify.ts";
import { readSwitches, setSwitches } from "./switches.ts";

const bot = { token: `4005:${"B".repeat(35)}`, username: "notice_bot", first_name: "SEO Master" };
const http = createProviderClient();
const dayMs = 86_400_000;

let database: TestDatabase;
let sql: Sql;
let twins: TestTwins;
let clock: ManualClock;
let workspaceId: string;
let nextId = 810_000;

beforeAll(async () => {
  database = await databaseWithJobs();
  sql = database.sql;
  twins = await startTestTwins();
  await twins.control("POST", "/telegram/bots", bot);
});
afterAll(async () => {
  await twins?.close();
  await database?.drop();
  await http.close();
});
beforeEach(async () => {
  // A Tuesday, 10:00 in Moscow.
  clock = manualClock(new Date("2026-11-17T07:00:00Z"));
  workspaceId = await aWorkspace(sql);
});

const api = () => telegramApi({ http, apiRoot: `${twins.url}/telegram`, token: async () => bot.token });
const broadcasts = () => broadcastTask({ sql, clock, bot: "seo-bot", api });
const deps = () => ({ sql, clock, broadcasts: broadcasts() });

/** Somebody with a balance who was here so many days ago. */
async function aPerson(given: { balance?: number; days?: number; language?: string } = {}): Promise<number> {
  nextId += 1;
  const id = nextId;
  await twins.control("POST", "/telegram/chats", {
    id,
    type: "private",
    first_name: "Ира",
    members: [{ bot: bot.username }],
  });
  await meet({ sql, clock, admins: [] }, { workspaceId, userId: id }, { language: given.language ?? "ru" });
  const { balance = 1_500, days = 0 } = given;
  if (balance !== 1_500)
    await sql`select billing.adjust(${workspaceId}, ${id}, ${balance - 1_500}, 'test', 'for the test')`;
  await sql`
    update seo.users set last_activity = ${new Date(clock.now().getTime() - days * dayMs)}
    where workspace_id = ${workspaceId} and id = ${id}`;
  return id;
}

/** Chooses, then sends all that waits in this workspace; how many of it were chosen. */
async function told(kind: NoticeKind): Promise<number> {
  const before = await chosen();
  await notify(deps(), kind);
  const rows = await sql<{ id: number }[]>`
    select id from seo.broadcasts where workspace_id = ${workspaceId} and status = 'sending' order by id`;
  for (const { id } of rows)
    await broadcasts().perform(
      { workspace_id: workspaceId, broadcast_id: id },
      { log, signal: new AbortController().signal },
    );
  return (await chosen()) - before;
}
const chosen = async () =>
  (await sql`select from seo.broadcast_recipients where workspace_id = ${workspaceId}`).length;

interface Got {
  readonly text: string;
  readonly buttons: readonly (readonly { readonly text: string }[])[];
}
const got = async (id: number) =>
  (await twins.control<{ messages: Got[] }>("GET", `/chats/telegram/${id}/messages`)).messages;

describe("automatic notices", () => {
  // covers seo: F21; F22
  it("tell of few tokens, once a day and only those who want it, with the way to more", async () => {
    const poor = await aPerson({ balance: 90 });
    const english = await aPerson({ balance: 30, language: "en" });
    const rich = await aPerson({ balance: 100 });
    const silent = await aPerson({ balance: 10 });
    await sql`update seo.users set notify_balance = false where workspace_id = ${workspaceId} and id = ${silent}`;
    expect(await told("low_balance")).toBe(2);
    const [message] = await got(poor);
    expect(message?.text).toBe("Баланс: 90 токенов. Этого хватит на ~2 поста.");
    expect(message?.buttons).toMatchObject([[{ text: "Пополнить" }]]);
    expect((await got(english)).map(({ text }) => text)).toEqual([
      "Balance: 30 tokens. That is enough for ~0 posts.",
    ]);
    expect([await got(rich), await got(silent)]).toEqual([[], []]);
    // Whoever asks again on this day, from however many processes, writes to nobody.
    expect(await Promise.all([notify(deps(), "low_balance"), notify(deps(), "low_balance")])).toEqual([
      { people: 0 },
      { people: 0 },
    ]);
    clock.advance(dayMs);
    expect(await told("low_balance")).toBe(2);
    expect(await got(poor)).toHaveLength(2);
  });

  it("sum up the week of those who came within a month, and call those back who did not for two weeks", async () => {
    const active = await aPerson({ days: 10 });
    const whose = { workspaceId, userId: active };
    const projectId = await aProject(sql, whose);
    for (const [url, words, days] of [
      ["https://a.example/1", 900, 1],
      ["https://a.example/2", 2_000, 3],
      ["https://a.example/3", 5_000, 9],
    ] as const)
      await sql`
        insert into seo.publication_logs (workspace_id, user_id, project_id, platform_type, post_url, word_count, tokens_spent, created_at)
        values (${workspaceId}, ${active}, ${projectId}, 'wordpress', ${url}, ${words}, 320, ${new Date(clock.now().getTime() - days * dayMs)})`;
    const away = await aPerson({ days: 15 });
    const gone = await aPerson({ days: 40 });
    const published = await aPerson({ days: 20 });
    for (const [userId, enabled] of [
      [away, false],
      [published, true],
    ] as const) {
      const own = { workspaceId, userId };
      const category = await aCategory(sql, own);
      const [connection] = await sql<[{ id: number }]>`
        insert into seo.platform_connections (workspace_id, project_id, platform_type, credentials, identifier)
        select workspace_id, project_id, 'vk', 'seo', id::text from seo.categories where workspace_id = ${workspaceId} and id = ${category} returning id`;
      await sql`
        insert into seo.platform_schedules (workspace_id, category_id, platform_type, connection_id, enabled)
        values (${workspaceId}, ${category}, 'vk', ${connection.id}, ${enabled})`;
    }
    expect(await told("weekly_digest")).toBe(3);
    expect(await got(active)).toMatchObject([
      { text: "За неделю: 2 публикации, 640 токенов. Топ-статья: https://a.example/2" },
    ]);
    expect(await got(gone)).toEqual([]);
    expect(await told("reactivation")).toBe(2);
    expect((await got(away)).at(-1)?.text).toBe("Давно не виделись! Ваши расписания на паузе.");
    expect(await got(gone)).toMatchObject([{ text: "Давно не виделись!" }]);
    expect((await got(published)).map(({ text }) => text)).toEqual(["За неделю: 0 публикаций, 0 токенов."]);
  });

  it("are not sent to whoever blocked the bot until they write again, nor at all once they are switched off", async () => {
    const id = await aPerson({ balance: 50 });
    await twins.control("PATCH", `/telegram/chats/${id}`, { block: true });
    expect(await told("low_balance")).toBe(1);
    const [sent] =
      await sql`select status from seo.broadcast_recipients where workspace_id = ${workspaceId} and user_id = ${id}`;
    expect(sent?.status).toBe("blocked");
    clock.advance(dayMs);
    expect(await told("low_balance")).toBe(0);
    await twins.control("PATCH", `/telegram/chats/${id}`, { block: false });
    await meet({ sql, clock, admins: [] }, { workspaceId, userId: id });
    clock.advance(dayMs);
    await setSwitches({ sql, clock }, workspaceId, { low_balance: false }, { operator: "admin" });
    expect(await readSwitches(sql, workspaceId)).toEqual({
      low_balance: false,
      weekly_digest: true,
      reactivation: true,
    });
    expect(await told("low_balance")).toBe(0);
    await setSwitches({ sql, clock }, workspaceId, { low_balance: true }, { operator: "admin" });
    expect(await told("low_balance")).toBe(1);
    expect(await got(id)).toHaveLength(1);
  });
});
