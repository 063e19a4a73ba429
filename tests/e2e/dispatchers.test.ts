import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { aChannel, aWorkspace, enqueue } from "../../src/delivery/testing/builders.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { startDispatcherProcess } from "../support/dispatcher-process.ts";
import { until } from "../support/until.ts";
import { type Arrival, botTokens, startWatchedTwins, type WatchedTwins } from "../support/watched-twins.ts";

/** Dispatchers in separate processes, which share only the database and the messengers. */
let database: TestDatabase;
let twins: WatchedTwins;
let onArrival: (arrival: Arrival) => Promise<unknown>;
const processes: ChildProcess[] = [];

beforeEach(async () => {
  onArrival = async () => undefined;
  database = await testDatabase();
  twins = await startWatchedTwins({ onArrival: (arrival) => onArrival(arrival) });
});
afterEach(async () => {
  await Promise.all(processes.splice(0).map(end));
  await twins.stop();
  await database.drop();
});

/** Starts as many dispatchers as asked for and waits until each is ready. */
async function dispatchers(count: number, environment: Record<string, string> = {}): Promise<void> {
  const settings = {
    DATABASE_URL: database.url,
    TELEGRAM_API_ROOT: `${twins.url}/telegram`,
    MAX_API_ROOT: `${twins.url}/max`,
    TELEGRAM_BOT_TOKEN: botTokens.telegram,
    MAX_BOT_TOKEN: botTokens.max,
    MOLVA_WORKSPACE_VARIABLES: "TELEGRAM_BOT_TOKEN=*,MAX_BOT_TOKEN=*",
    ...environment,
  };
  await Promise.all(
    Array.from({ length: count }, () => startDispatcherProcess(settings, (child) => processes.push(child))),
  );
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "close");
  child.kill("SIGTERM");
  await ended;
}

let nextChat = 3_000;

/** A workspace whose bots' tokens every dispatcher has in its environment. */
async function aTenant(given: { status?: string; name?: string } = {}): Promise<string> {
  const { sql } = database;
  const workspace = await aWorkspace(sql, given);
  for (const platform of ["telegram", "max"]) {
    await sql`
      insert into workspaces.credential_bindings (workspace_id, platform, auth_ref, secret_ref)
      values (${workspace}, ${platform}, ${platform}, ${`env:${platform.toUpperCase()}_BOT_TOKEN`})`;
    await sql`
      insert into delivery.platform_limits (workspace_id, platform, rate_group, rate_rps)
      values (${workspace}, ${platform}, ${platform}, 1000)`;
  }
  return workspace;
}

async function aChat(workspace: string, platform: "telegram" | "max", maxParallel: number): Promise<string> {
  const id = platform === "telegram" ? -1_002_000_000_000 - nextChat++ : -70_000_000 - nextChat++;
  await twins.aChat(platform, id);
  await aChannel(database.sql, workspace, {
    platform,
    target_id: String(id),
    auth_ref: platform,
    rate_group: platform,
    max_parallel: maxParallel,
  });
  return String(id);
}

const allSent = (workspaces: string[]) =>
  until(
    "everything is sent",
    async () => {
      const rows = await database.sql`
        select from delivery.deliveries where workspace_id = any (${workspaces}) and status <> 'sent' limit 1`;
      return rows.length === 0;
    },
    100_000,
  );

// covers autoposting: Transactional SQL boundary; Dispatcher requirements; Core loop; Point 18
it("several dispatcher processes carry each delivery once, without a deadlock over channels and groups", async () => {
  const workspaces = [await aTenant(), await aTenant()];
  const chats: string[] = [];
  for (const workspace of workspaces)
    for (const platform of ["telegram", "max", "telegram", "max"] as const)
      chats.push(await aChat(workspace, platform, 3));
  const texts = Array.from({ length: 40 }, (_, index) => `Пост ${index}`);
  await dispatchers(3, { MOLVA_DISPATCH_CONCURRENCY: "16" });

  await Promise.all(
    workspaces.map(async (workspace) => {
      for (const text of texts) await enqueue(database.sql, workspace, text);
    }),
  );
  await allSent(workspaces);

  const arrived = twins.arrivals.map(({ chat, text }) => `${chat} ${text}`);
  expect(arrived.sort()).toEqual(chats.flatMap((chat) => texts.map((text) => `${chat} ${text}`)).sort());
  const attempts = await database.sql`
    select delivery_id, meta ->> 'run_id' as run_id from workspaces.events where action = 'send_attempt'`;
  expect(new Set(attempts.map(({ delivery_id }) => delivery_id)).size).toBe(attempts.length);
  expect(new Set(attempts.map(({ run_id }) => run_id)).size).toBeGreaterThan(1);
  const [statistics] =
    await database.sql`select deadlocks::int from pg_stat_database where datname = current_database()`;
  expect(statistics?.deadlocks).toBe(0);
});

// covers autoposting: Dispatcher requirements; Rate limiting; Point 19
it("several dispatcher processes together never have more than max_parallel posts under way in a channel", async () => {
  const workspace = await aTenant();
  const limits = { [await aChat(workspace, "telegram", 1)]: 1, [await aChat(workspace, "max", 3)]: 3 };
  // Long enough for the processes to overlap, so that only the limit separates them.
  onArrival = () => delay(40);
  await dispatchers(3);
  for (let index = 0; index < 30; index++) {
    await enqueue(database.sql, workspace, `Пост ${index}`);
    // All sleep now and then, so that each new post wakes all of them at once.
    if (index % 10 === 0) await allSent([workspace]);
  }
  await allSent([workspace]);

  expect(Object.fromEntries(twins.mostAtOnce)).toEqual(limits);
  const runs = await database.sql`
    select distinct meta ->> 'run_id' from workspaces.events where action = 'send_attempt'`;
  expect(runs.length).toBeGreaterThan(1);
});

// covers autoposting: Dispatcher requirements; Workspace scheduler; Point 33
it("every active workspace has its turn beside one with a long queue, and stopped ones send nothing", async () => {
  const busy = await aTenant();
  const crowded = await aChat(busy, "telegram", 8);
  for (let index = 0; index < 200; index++) await enqueue(database.sql, busy, `Пост ${index}`);
  const small = await Promise.all(Array.from({ length: 5 }, () => aTenant()));
  const stopped = [await aTenant({ status: "paused" }), await aTenant({ status: "disabled" })];
  const chatOf = new Map<string, string>();
  for (const workspace of [...small, ...stopped]) {
    chatOf.set(workspace, await aChat(workspace, "telegram", 1));
    await enqueue(database.sql, workspace, "Пост");
  }
  onArrival = () => delay(10);
  await dispatchers(2, { MOLVA_DISPATCH_CONCURRENCY: "8" });
  await allSent([busy, ...small]);

  const placeOf = (workspace: string) =>
    twins.arrivals.findIndex(({ chat }) => chat === chatOf.get(workspace));
  for (const workspace of small) {
    expect(placeOf(workspace)).toBeGreaterThanOrEqual(0);
    expect(placeOf(workspace)).toBeLessThan(100);
  }
  for (const workspace of stopped) expect(placeOf(workspace)).toBe(-1);
  expect(twins.arrivals.filter(({ chat }) => chat === crowded)).toHaveLength(200);
  const waiting = await database.sql`
    select status, attempt from delivery.deliveries where workspace_id = any (${stopped})`;
  expect([...waiting]).toEqual([
    { status: "queued", attempt: 0 },
    { status: "queued", attempt: 0 },
  ]);
});

// covers autoposting: Outgoing idempotency; Core loop; Point 21
it("an attempt and its idempotency key are on record before the messenger is called", async () => {
  const workspace = await aTenant();
  await aChat(workspace, "telegram", 1);
  const seen: { delivery_id: string; attempt: number; key: string; status: string }[] = [];
  onArrival = async () => {
    seen.push(
      ...(await database.sql<typeof seen>`
        select delivery_id, e.attempt, e.meta ->> 'idempotency_key' as key, d.status
        from workspaces.events e join delivery.deliveries d using (workspace_id, delivery_id)
        where e.action = 'send_attempt'`),
    );
  };
  await dispatchers(1);
  await enqueue(database.sql, workspace, "Сначала запись");
  await allSent([workspace]);
  expect(seen).toEqual([
    { delivery_id: seen[0]?.delivery_id, attempt: 1, key: seen[0]?.delivery_id, status: "sending" },
  ]);
});

it("a workspace with a long queue does not keep another one's limited channel waiting", async () => {
  const [busy, calm] = [await aTenant(), await aTenant()];
  await database.sql`update delivery.platform_limits set rate_rps = null where workspace_id = ${busy}`;
  for (let chat = 0; chat < 4; chat++) await aChat(busy, "telegram", 50);
  const limited = await aChat(calm, "telegram", 1);
  await database.sql`update delivery.channels set rate_rps = 4 where workspace_id = ${calm}`;
  for (let index = 0; index < 250; index++) await enqueue(database.sql, busy, `Много ${index}`);
  for (let index = 0; index < 4; index++) await enqueue(database.sql, calm, `Мало ${index}`);
  let leftOfBusy: number | undefined;
  onArrival = async ({ text }) => {
    if (text !== "Мало 3") return;
    const [waiting] = await database.sql<[{ count: number }]>`
      select count(*)::int from delivery.deliveries where workspace_id = ${busy} and status = 'queued'`;
    leftOfBusy = waiting.count;
  };
  await dispatchers(1, { MOLVA_DISPATCH_CONCURRENCY: "16" });
  await allSent([busy, calm]);

  expect(twins.arrivals.filter(({ chat }) => chat === limited)).toHaveLength(4);
  expect(leftOfBusy).toBeGreaterThan(0);
});

it("a channel goes on within seconds after the process that was sending to it was killed", async () => {
  const workspace = await aTenant();
  await aChat(workspace, "max", 1);
  onArrival = async ({ text }) => {
    // Killed without an answer, while the messenger is working.
    if (text === "Первый") for (const child of processes) child.kill("SIGKILL");
  };
  await dispatchers(1);
  await enqueue(database.sql, workspace, "Первый");
  await until("the process has died", () => processes.every(({ signalCode }) => signalCode), 60_000);
  await enqueue(database.sql, workspace, "Второй");
  await dispatchers(1);

  // Leases last for five minutes.
  const texts = () => twins.arrivals.map(({ text }) => text);
  await until("the next post arrives", () => texts().includes("Второй"), 100_000);
  const [first] = await database.sql`
    select d.status, d.last_error ->> 'code' as code, d.last_error ->> 'cause' as cause
    from delivery.deliveries d where d.workspace_id = ${workspace} and d.rendered_text = 'Первый'`;
  expect(first).toEqual({ status: "retry", code: "outcome_unknown", cause: "process_gone" });
});

it("a workspace whose messenger never answers leaves room for another one's post", async () => {
  const [stuck, calm] = [await aTenant(), await aTenant()];
  await aChat(stuck, "max", 50);
  const chat = await aChat(calm, "telegram", 1);
  let answer = () => {};
  const answers = new Promise<void>((resolve) => {
    answer = resolve;
  });
  onArrival = async ({ provider }) => (provider === "max" ? answers : undefined);
  await dispatchers(1, { MOLVA_DISPATCH_CONCURRENCY: "16" });
  for (let index = 0; index < 40; index++) await enqueue(database.sql, stuck, `Много ${index}`);
  // Between eleven and fourteen, by how many a turn found waiting.
  await until("the stuck workspace has its places", () => twins.arrivals.length >= 11, 60_000);
  await enqueue(database.sql, calm, "Один");
  await allSent([calm]);

  expect(twins.arrivals.map((arrival) => arrival.chat).filter((each) => each === chat)).toHaveLength(1);
  answer();
  await allSent([stuck]);
});
