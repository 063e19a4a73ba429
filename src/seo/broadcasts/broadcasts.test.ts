import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { databaseWithJobs, type TestDatabase } from "../../../tests/support/database.ts";
import { until } from "../../../tests/support/until.ts";
import { startTestTwins, type TestTwins } from "../../../twins/shared/testing.ts";
import { recordPayment } from "../../billing/index.ts";
import { aPerson, aSale } from "../../billing/testing/builders.ts";
import { aWorkspace } from "../../delivery/testing/builders.ts";
import { telegramApi } from "../../dialogs/index.ts";
import { type ManualClock, manualClock, systemClock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { silentLog as log } from "../../kernel/log/index.ts";
import { createProviderClient } from "../../kernel/outbound/index.ts";
import { beginBroadcast, countAudience, readBroadcast, stopBroadcast } from "./broadcasts.ts";
import { perSecond, type Timer } from "./pace.ts";
import { type BroadcastDeps, broadcastTask, recoverBroadcasts } from "./send-broadcast.ts";

const bot = { token: `4004:${"B".repeat(35)}`, username: "news_bot", first_name: "Новости" };
const http = createProviderClient();

let database: TestDatabase;
let sql: Sql;
let twins: TestTwins;
let clock: ManualClock;
let workspaceId: string;
let firstId = 500_000;

beforeAll(async () => {
  database = await databaseWithJobs();
  sql = database.sql;
  twins = await startTestTwins();
});
afterAll(async () => {
  await twins?.close();
  await database?.drop();
  await http.close();
});

beforeEach(async () => {
  await twins.control("POST", "/reset");
  await twins.control("POST", "/telegram/bots", bot);
  clock = manualClock(new Date("2026-11-17T10:00:00Z"));
  workspaceId = await aWorkspace(sql);
});

const apiAt = (apiRoot: () => string) =>
  telegramApi({
    ...{ http, token: async () => bot.token },
    get apiRoot() {
      return apiRoot();
    },
  });
const api = () => apiAt(() => `${twins.url}/telegram`);
const task = (given: Partial<BroadcastDeps> = {}) =>
  broadcastTask({ sql, clock, bot: "seo-bot", api, ...given });

/** People who have written to the bot; their ids. */
async function people(count: number, given: { news?: boolean; last?: Date } = {}): Promise<number[]> {
  firstId += 1_000;
  const ids = Array.from({ length: count }, (_, index) => firstId + index);
  for (const id of ids) {
    await twins.control("POST", "/telegram/chats", {
      ...{ id, type: "private", first_name: `Ира ${id}`, members: [{ bot: bot.username }] },
    });
    await sql`
      insert into seo.users (workspace_id, id, notify_news, last_activity)
      values (${workspaceId}, ${id}, ${given.news ?? true}, ${given.last ?? clock.now()})`;
  }
  return ids;
}

async function begun(text = "Новость"): Promise<number> {
  const wanted = { workspaceId, byUser: 1, audience: "all" as const, text };
  const id = await sql.begin((tx) => beginBroadcast(tx, task(), wanted, clock.now()));
  if (id === undefined) throw new Error("another one is being sent");
  return id;
}

const perform = (id: number, signal = new AbortController().signal, given: Partial<BroadcastDeps> = {}) =>
  task(given).perform({ workspace_id: workspaceId, broadcast_id: id }, { log, signal });
/** Rests pass at once, and are counted. */
function hurried(): { readonly timer: Timer; restedMs(): number } {
  let restedMs = 0;
  return {
    timer: {
      now: () => performance.now() + restedMs,
      async rest(ms, signal) {
        restedMs += ms;
        return !signal.aborted;
      },
    },
    restedMs: () => restedMs,
  };
}
const read = (id: number) => readBroadcast(sql, workspaceId, id);
const got = async (id: number) => {
  const { messages } = await twins.control<{ messages: { text: string }[] }>(
    "GET",
    `/chats/telegram/${id}/messages`,
  );
  return messages.map(({ text }) => text);
};

describe("an audience", () => {
  it("is everybody, who came lately, or who paid, without those who switched news off", async () => {
    const day = 86_400_000;
    const ago = (days: number) => new Date(clock.now().getTime() - days * day);
    await people(1);
    await people(2, { last: ago(10) });
    const [old] = await people(1, { last: ago(40) });
    await people(5, { news: false });
    await aPerson(sql, workspaceId, { id: old ?? 0 });
    const saleId = await aSale(sql, workspaceId, { userId: old ?? 0, stars: 195, provider: "stars" });
    await recordPayment(
      sql,
      {
        ...{ workspaceId, provider: "stars", chargeId: "c1", saleId, userId: old ?? 0 },
        ...{ amount: 195, currency: "XTR" },
      },
      clock.now(),
    );
    const count = (audience: Parameters<typeof countAudience>[2]) =>
      countAudience(sql, workspaceId, audience, clock.now());
    expect([await count("all"), await count("active_30d"), await count("active_7d")]).toEqual([4, 3, 1]);
    expect(await count("paid")).toBe(1);
  });
});

describe("a broadcast", () => {
  // covers seo: F20
  it("reaches everybody once, one after the other, and goes on past those who blocked the bot", async () => {
    const ids = await people(24);
    const [blocked = 0, gone = 0] = ids;
    await twins.control("PATCH", `/telegram/chats/${blocked}`, { block: true });
    await twins.control("PATCH", `/telegram/chats/${gone}`, { deactivated: true });
    const id = await begun();
    const began = performance.now();
    await perform(id);
    // Never sooner; how many leave within a second is counted in pace.test.ts, because arrivals may bunch on the way.
    expect(performance.now() - began).toBeGreaterThan((23 / perSecond) * 1_000);
    expect(await read(id)).toMatchObject({ status: "done", recipients: 24, left: 0, sent: 22, failed: 0 });
    expect((await read(id))?.blocked).toBe(2);
    for (const each of ids.slice(2)) expect(await got(each)).toEqual(["Новость"]);
  });

  it("is continued after a restart, and nobody gets it twice", async () => {
    const ids = await people(45);
    const id = await begun();
    const stopping = new AbortController();
    const first = perform(id, stopping.signal);
    await until("the first have it", async () => ((await read(id))?.sent ?? 0) >= 20 || undefined);
    stopping.abort();
    await first;
    expect(await read(id)).toMatchObject({ status: "sending" });
    await recoverBroadcasts({ sql, clock }, task());
    const jobs = await sql`select 1 from graphile_worker.jobs where task_identifier = 'seo.broadcast'`;
    expect(jobs.length).toBeGreaterThan(0);
    await perform(id);
    expect(await read(id)).toMatchObject({ status: "done", sent: 45, failed: 0 });
    for (const each of ids) expect(await got(each)).toEqual(["Новость"]);
  });

  it("after a crash sends nothing again whose outcome nobody knows", async () => {
    const ids = await people(3);
    const id = await begun();
    // A process died after it had sent to the first and before it had noted it.
    await sql`
      update seo.broadcasts set token = gen_random_uuid(), leased_until = ${new Date(clock.now().getTime() + 30_000)}
      where workspace_id = ${workspaceId} and id = ${id}`;
    await sql`
      update seo.broadcast_recipients set status = 'sending'
      where workspace_id = ${workspaceId} and broadcast_id = ${id} and place = 1`;
    await perform(id);
    expect(await read(id)).toMatchObject({ status: "sending", left: 3 });
    clock.advance(31_000);
    await perform(id);
    expect(await read(id)).toMatchObject({ status: "done", sent: 2, failed: 1 });
    expect(await got(ids[0] ?? 0)).toEqual([]);
  });

  it("waits when Telegram asks for it, and does not repeat what may have come", async () => {
    const ids = await people(2);
    const fault = { provider: "telegram", method: "sendMessage", times: 1 };
    await twins.control("POST", "/faults", {
      ...{ ...fault, chat: String(ids[0]), fault: { kind: "status", status: 429, retryAfter: 1 } },
    });
    await twins.control("POST", "/faults", { ...fault, chat: String(ids[1]), fault: { kind: "drop_after" } });
    const id = await begun();
    await perform(id);
    expect(await read(id)).toMatchObject({ status: "done", sent: 1, failed: 1 });
    for (const each of ids) expect(await got(each)).toEqual(["Новость"]);
  });

  it("gives up whom Telegram fails on again and again, after all others have theirs", async () => {
    const ids = await people(30);
    const match = { provider: "telegram", method: "sendMessage", chat: String(ids[0]) };
    await twins.control("POST", "/faults", { ...match, fault: { kind: "status", status: 500 } });
    const id = await begun();
    const { timer, restedMs } = hurried();
    await perform(id, undefined, { timer });
    expect(await read(id)).toMatchObject({ status: "done", sent: 29, failed: 1, left: 0 });
    for (const each of ids.slice(1)) expect(await got(each)).toEqual(["Новость"]);
    const { entries } = await twins.control<{ entries: { id: number; chat: string }[] }>("GET", "/journal");
    const asked = entries.toSorted((one, other) => one.id - other.id).map(({ chat }) => chat);
    const tries = asked.flatMap((chat, at) => (chat === String(ids[0]) ? [at] : []));
    expect(tries).toHaveLength(5);
    // Once in turn, then after the others, of whom some may be on their way.
    expect(tries[1]).toBeGreaterThan(20);
    expect(restedMs()).toBeGreaterThan(60_000);
  });

  it("waits for a network that is down, and loses nobody", async () => {
    const ids = await people(3);
    const id = await begun();
    const { timer, restedMs } = hurried();
    const isUp = () => restedMs() > 30_000;
    await perform(id, undefined, {
      ...{ timer, api: () => apiAt(() => (isUp() ? `${twins.url}/telegram` : "http://127.0.0.1:1")) },
    });
    expect(await read(id)).toMatchObject({ status: "done", sent: 3, failed: 0 });
    for (const each of ids) expect(await got(each)).toEqual(["Новость"]);
  });

  it("is taken over by nobody while it waits for as long as Telegram asks", async () => {
    const [person = 0] = await people(1);
    await twins.control("POST", "/faults", {
      ...{ provider: "telegram", method: "sendMessage", times: 1 },
      fault: { kind: "status", status: 429, retryAfter: 4 },
    });
    const id = await begun();
    const leased = { clock: systemClock, leaseMs: 1_500 };
    const began = performance.now();
    const sending = perform(id, undefined, leased);
    await until("it waits for longer than its lease", () => performance.now() - began > 2_000 || undefined);
    await perform(id, undefined, leased);
    expect(await got(person)).toEqual([]);
    await sending;
    expect(performance.now() - began).toBeGreaterThan(4_000);
    expect(await read(id)).toMatchObject({ status: "done", sent: 1, failed: 0 });
    expect(await got(person)).toEqual(["Новость"]);
  });

  it("is stopped between two rounds, and only one is sent at a time", async () => {
    await people(45);
    const id = await begun();
    const wanted = { workspaceId, byUser: 1, audience: "all" as const, text: "Другая" };
    expect(await sql.begin((tx) => beginBroadcast(tx, task(), wanted, clock.now()))).toBeUndefined();
    const sending = perform(id);
    await until("the first have it", async () => ((await read(id))?.sent ?? 0) >= 20 || undefined);
    expect(await stopBroadcast(sql, workspaceId, id, clock.now())).toBe(true);
    await sending;
    const ended = await read(id);
    expect(ended?.status).toBe("stopped");
    expect(ended?.left).toBeGreaterThan(0);
    expect(await stopBroadcast(sql, workspaceId, id, clock.now())).toBe(false);
  });
});
