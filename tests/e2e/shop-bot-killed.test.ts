import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import type { Transaction } from "../../src/kernel/db/index.ts";
import { projectRoot } from "../../src/kernel/paths/index.ts";
import { eventually, type ShopStand, startShopStand } from "../../src/shopbot/testing/stand.ts";
import { type RunningTwins, startTwins } from "../../twins/index.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";

/** A bot's process is killed between every two steps of an answer; another one takes over. The customer reads it once. */
let database: TestDatabase;
let twins: RunningTwins;
let shop: ShopStand;
let token = "";
const processes: ChildProcess[] = [];
const leaseSeconds = 5;

beforeAll(async () => {
  database = await testDatabase();
  twins = await startTwins({ port: 0, host: "127.0.0.1", insecureWebhooks: true, rateLimits: false });
  shop = await startShopStand(database, { twinsUrl: twins.url, operators: true, start: false });
  const [row] = await shop.sql`
    select secret_ref from delivery.credential_bindings where auth_ref = 'shop-bot' and platform = 'max'`;
  token = (await shop.deps.token(shop.workspaceId, row?.secret_ref)) ?? "";
});
afterEach(async () => {
  for (const child of processes.splice(0)) await kill(child);
  await shop.control("DELETE", "/faults");
});
afterAll(async () => {
  await shop.stop();
  await twins.close();
});

async function aProcess(): Promise<ChildProcess> {
  const settings = { databaseUrl: database.url, maxApiRoot: `${twins.url}/max`, token, leaseSeconds };
  const child = fork(
    join(projectRoot, "tests", "support", "shop-bot-process.js"),
    [JSON.stringify(settings)],
    {
      execArgv: [],
    },
  );
  processes.push(child);
  await once(child, "message");
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "exit");
}

const outbox = (chatId: string) => shop.sql`
  select status, attempt, provider_message_id from shopbot.bot_outbox where chat_id = ${chatId}`;
const inbox = (chatId: string) =>
  shop.sql`select processed_at from shopbot.bot_inbox where chat_id = ${chatId}`;
const fault = (chat: string, method: string, kind: object) =>
  shop.control("POST", "/faults", { provider: "max", chat, method, times: 1, fault: kind });

/** Holds a table against writers until it is let go. */
async function hold(table: string): Promise<() => Promise<void>> {
  let letGo = () => {};
  const released = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let held: (tx: Transaction) => void = () => {};
  const holding = new Promise<Transaction>((resolve) => {
    held = resolve;
  });
  const done = shop.sql.begin(async (tx) => {
    await tx.unsafe(`lock table shopbot.${table} in exclusive mode`);
    held(tx);
    await released;
  });
  await holding;
  return async () => {
    letGo();
    await done;
  };
}

/** The customer's chat, in which nothing was said yet. */
async function aChat(): Promise<string> {
  const { chat_id } = await shop.control("POST", "/max/chats", {
    type: "dialog",
    user: { first_name: "Ирина" },
    members: [{ bot: shop.botName }],
  });
  return String(chat_id);
}

interface Case {
  /** Puts an obstacle in the way of the step. */
  prepare(chatId: string): Promise<unknown>;
  /** Waits until the process stands before the obstacle. */
  reach(chatId: string): Promise<unknown>;
}

const waiting = (chatId: string, status: string) =>
  eventually(
    () => outbox(chatId),
    (seen) => seen[0]?.status === status,
  );
const arrived = (chatId: string) =>
  eventually(
    () => shop.said(chatId),
    (seen) => seen.length === 1,
  );
const blocked = (table: string) =>
  eventually(
    () => shop.sql`select from pg_locks where relation = ${`shopbot.${table}`}::regclass and not granted`,
    (seen) => seen.length > 0,
  );

/** Takes the obstacle away. */
let release: () => Promise<unknown> = async () => {};

const cases: Record<string, Case> = {
  "while it decides, before anything is written": {
    async prepare() {
      release = await hold("bot_logs");
    },
    reach: () => blocked("bot_logs"),
  },
  "after the answer is written down, before it is taken to be sent": {
    async prepare() {
      await shop.sql`update shopbot.bots set rate_rps = 0.0001`;
      await shop.sql`
        insert into shopbot.bot_buckets values (${shop.workspaceId}, 0, now())
        on conflict (workspace_id) do update set tokens = 0, refilled_at = now()`;
      release = () => shop.sql`update shopbot.bots set rate_rps = 0`;
    },
    reach: (chatId) => waiting(chatId, "waiting"),
  },
  "after it is taken, while typing is shown": {
    prepare: (chatId) => fault(chatId, "POST /chats/:chatId/actions", { kind: "hang" }),
    reach: (chatId) => waiting(chatId, "sending"),
  },
  "when the request has left, before the messenger does anything": {
    prepare: (chatId) => fault(chatId, "POST /messages", { kind: "hang" }),
    reach: (chatId) => waiting(chatId, "sending"),
  },
  "when the messenger has the answer, before we hear of it": {
    prepare: (chatId) => fault(chatId, "POST /messages", { kind: "hang", after: true }),
    reach: arrived,
  },
  "when we have heard of it, before it is recorded": {
    prepare: (chatId) => fault(chatId, "POST /messages", { kind: "delay", ms: 2_000 }),
    async reach(chatId) {
      await waiting(chatId, "sending");
      release = await hold("bot_outbox");
      await arrived(chatId);
      await blocked("bot_outbox");
    },
  },
};

it.each(Object.entries(cases))(
  "killed %s: the customer is answered once",
  async (_name, { prepare, reach }) => {
    const chatId = await aChat();
    release = async () => {};
    await prepare(chatId);
    const first = await aProcess();
    await shop.say(chatId, "доставка");
    await reach(chatId);
    await kill(first);
    await release();

    await aProcess();
    await waiting(chatId, "sent");
    expect(await shop.said(chatId)).toEqual([expect.stringContaining("Курьером по Москве")]);
    expect(await shop.logs(chatId)).toHaveLength(1);
    expect(await inbox(chatId)).toEqual([{ processed_at: expect.any(Date) }]);
    const [row] = await outbox(chatId);
    const [shown] = (await shop.messages(chatId)).filter(({ author }) => author.bot);
    expect(row?.provider_message_id).toBe(shown?.id);
  },
  90_000,
);

it("killed before the webhook's answer: the provider brings the update again, and it is answered once", async () => {
  const chatId = await aChat();
  await shop.control("PATCH", "/max/options", { duplicate_updates: 1 });
  await aProcess();
  await shop.say(chatId, "оплата");
  await waiting(chatId, "sent");
  expect(await shop.said(chatId)).toHaveLength(1);
}, 90_000);
