import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { projectRoot } from "../../src/kernel/paths/index.ts";
import { type ShopHarness, startShopHarness } from "../../src/shopbot/testing/harness.ts";
import { type RunningTwins, startTwins } from "../../twins/index.ts";
import { builtScript } from "../support/built-script.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { type PostgresRelay, startPostgresRelay } from "../support/postgres-relay.ts";
import { startShopBot } from "../support/shop-bot.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { eventually } from "../support/until.ts";

/**
 * A process is killed between every two steps in the life of a message, and another one takes over. The customer reads one
 * answer. Where the step is a statement, a relay in front of the database stops the process there; where it is a request to
 * the messenger, the twin does.
 */
let database: TestDatabase;
let relay: PostgresRelay;
let twins: RunningTwins;
let shop: ShopHarness;
let token = "";
const processes: ChildProcess[] = [];
const leaseSeconds = 2;

beforeAll(async () => {
  database = await testDatabase();
  relay = await startPostgresRelay(database.url);
  twins = await startTwins({ port: 0, host: "127.0.0.1", insecureWebhooks: true, rateLimits: false });
  shop = await startShopHarness(database, { twinsUrl: twins.url, operators: true, start: false });
  const [row] = await shop.sql`
    select secret_ref from workspaces.credential_bindings where auth_ref = 'shop-bot' and platform = 'max'`;
  token = (await shop.deps.token(shop.workspaceId, row?.secret_ref)) ?? "";
});
afterEach(async () => {
  for (const child of processes.splice(0)) await kill(child);
  await shop.control("DELETE", "/faults");
});
afterAll(async () => {
  for (const child of Object.values(spares)) await kill(child);
  await relay.close();
  await shop.stop();
  await twins.close();
});

type ProcessName = "bot" | "door";
/** The next of each kind loads its code while the one before it works. */
const spares: Partial<Record<ProcessName, ChildProcess>> = {};
const support = join(projectRoot, "tests", "support");
const scripts: Record<ProcessName, () => Promise<string>> = {
  bot: () => builtScript(join(support, "shop-bot-process.ts")),
  door: async () => join(support, "shop-door-process.js"),
};
const spare = async (name: ProcessName) => fork(await scripts[name](), { execArgv: [] });

/** A process of ours, and its message when it is ready. */
async function aProcess(name: ProcessName, settings: object): Promise<{ child: ChildProcess; word: string }> {
  const child = spares[name] ?? (await spare(name));
  spares[name] = await spare(name);
  processes.push(child);
  child.send(settings);
  const [word] = await once(child, "message");
  return { child, word: String(word) };
}

const settings = () => ({ databaseUrl: relay.url, maxApiRoot: `${twins.url}/max`, token, leaseSeconds });
const aBot = async () => (await aProcess("bot", settings())).child;

/** Only what is killed needs a process of its own: the bot that takes over runs in this one. */
async function anotherBot(): Promise<void> {
  onTestFinished(await startShopBot(settings()));
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

const inOutbox = (chatId: string, status: string) =>
  eventually(
    () => outbox(chatId),
    (seen) => seen[0]?.status === status,
  );
const arrived = (chatId: string) =>
  eventually(
    () => shop.said(chatId),
    (seen) => seen.length === 1,
  );

/** The messenger has received the request, applied the fault and does not answer. */
const struck = () =>
  eventually(
    () => shop.control("GET", "/faults"),
    ({ faults }) => faults.length === 0,
  );

/** The customer's chat, in which nothing was said yet. */
async function aChat(): Promise<string> {
  const { chat_id } = await shop.control("POST", "/max/chats", {
    type: "dialog",
    user: { first_name: "Ирина" },
    members: [{ bot: shop.botName }],
  });
  return String(chat_id);
}

/** Everything about the message happened once, whichever process did it. */
async function answeredOnce(chatId: string, words: string): Promise<void> {
  await inOutbox(chatId, "sent");
  expect(await shop.said(chatId)).toEqual([expect.stringContaining(words)]);
  expect(await shop.logs(chatId)).toHaveLength(1);
  expect(await inbox(chatId)).toEqual([{ processed_at: expect.any(Date) }]);
  const [row] = await outbox(chatId);
  const [shown] = (await shop.messages(chatId)).filter(({ author }) => author.bot);
  expect(row?.provider_message_id).toBe(shown?.id);
}

describe("a bot's process", () => {
  /** What stops it, and where it stands then. */
  interface Step {
    prepare(chatId: string): Promise<unknown>;
    stands(chatId: string): Promise<unknown>;
    /** What another process finds. */
    readonly left: { readonly processed: boolean; readonly answer?: "waiting" | "sending" | "sent" };
  }

  /** At a statement of its own. */
  const at = (
    moment: "before" | "after",
    words: string,
    left: Step["left"],
    earlier: () => Promise<void> = async () => {},
  ): Step => {
    let stopped: Promise<void>;
    return {
      async prepare() {
        await earlier();
        stopped = relay.stopAt(moment, words);
      },
      stands: () => stopped,
      left,
    };
  };

  /** The answer waits to be sent, because whoever decided it was killed. */
  const decided = async () => {
    const stopped = relay.stopAt("after", "commit");
    const decider = await aBot();
    await stopped;
    await kill(decider);
  };

  const steps: Record<string, Step> = {
    "before it takes the message": at("before", "shopbot.take_turns", { processed: false }),
    "when it has taken the message, before it decides": at("after", "shopbot.take_turns", {
      processed: false,
    }),
    "when it has decided, before it writes": at("before", "shopbot.end_turns", { processed: false }),
    "when it has written, before the commit": at("after", "shopbot.end_turns", { processed: false }),
    "after the commit, before it knows of it": at("after", "commit", { processed: true, answer: "waiting" }),
    "before it takes the answer to send it": at(
      "before",
      "shopbot.take_replies",
      { processed: true, answer: "waiting" },
      decided,
    ),
    "when it has taken the answer, before it knows which": at(
      "after",
      "shopbot.take_replies",
      { processed: true, answer: "sending" },
      decided,
    ),
    "while it shows that it types": {
      prepare: (chatId) => fault(chatId, "POST /chats/:chatId/actions", { kind: "hang" }),
      stands: struck,
      left: { processed: true, answer: "sending" },
    },
    "when the request has left, before the messenger does anything": {
      prepare: (chatId) => fault(chatId, "POST /messages", { kind: "hang" }),
      stands: struck,
      left: { processed: true, answer: "sending" },
    },
    "when the messenger has the answer, before we know of it": {
      prepare: (chatId) => fault(chatId, "POST /messages", { kind: "hang", after: true }),
      stands: arrived,
      left: { processed: true, answer: "sending" },
    },
    "when it has heard that the answer arrived, before it is recorded": at("before", "shopbot.end_replies", {
      processed: true,
      answer: "sending",
    }),
    "when the end is recorded, before it knows of it": at("after", "shopbot.end_replies", {
      processed: true,
      answer: "sent",
    }),
  };

  // covers shopbot: What is answered already is not answered again
  it.each(Object.entries(steps))(
    "killed %s: the customer is answered once",
    async (_name, { prepare, stands, left }) => {
      const chatId = await aChat();
      await shop.say(chatId, "доставка");
      await eventually(
        () => inbox(chatId),
        (seen) => seen.length === 1,
      );
      await prepare(chatId);
      const first = await aBot();
      await stands(chatId);
      await kill(first);
      const [message] = await inbox(chatId);
      expect(message?.processed_at !== null).toBe(left.processed);
      expect((await outbox(chatId))[0]?.status).toBe(left.answer);

      await anotherBot();
      await answeredOnce(chatId, "Курьером по Москве");
    },
    90_000,
  );

  // covers shopbot: What is answered already is not answered again
  it("killed when a tap is answered, before its message is sent: the message comes, once", async () => {
    const chatId = await aChat();
    const first = await aBot();
    await shop.say(chatId, "доставка");
    await arrived(chatId);
    await fault(chatId, "POST /messages", { kind: "hang" });
    await shop.press(chatId, "Оплата");
    await struck();
    await kill(first);
    await anotherBot();
    await eventually(
      () => outbox(chatId),
      (seen) => seen.length === 2 && seen.every(({ status }) => status === "sent"),
    );
    expect(await shop.said(chatId)).toEqual([
      expect.stringContaining("Курьером"),
      expect.stringContaining("СБП"),
    ]);
  });

  // covers shopbot: What is answered already is not answered again
  it("killed between the customer's answer and the operators' message: both come, each once", async () => {
    const chatId = await aChat();
    await fault(shop.operatorsChatId, "POST /messages", { kind: "hang", after: true });
    const first = await aBot();
    await shop.say(chatId, "позовите оператора");
    await arrived(chatId);
    const handovers = () =>
      shop.sql`select status from shopbot.bot_outbox where about_chat_id = ${chatId} and kind = 'handover'`;
    await eventually(handovers, (seen) => seen[0]?.status === "sending");
    await kill(first);
    await anotherBot();
    await eventually(handovers, (seen) => seen[0]?.status === "sent");
    expect(await shop.said(chatId)).toHaveLength(1);
    expect(await shop.said(shop.operatorsChatId)).toEqual([expect.stringContaining("оператора")]);
  });
});

describe("the process that takes updates", () => {
  const aDoor = () => aProcess("door", { databaseUrl: relay.url, home: tempFolder("shop-door") });

  const update = (chatId: string, mid: string) => ({
    update_type: "message_created",
    timestamp: Date.now(),
    message: {
      sender: { user_id: 42, first_name: "Ирина", is_bot: false },
      recipient: { chat_id: Number(chatId), chat_type: "dialog" },
      timestamp: Date.now(),
      body: { mid, seq: 1, text: "оплата" },
    },
  });

  /** Like MAX, which repeats an update until it gets 200. */
  const bring = (door: string, body: object) =>
    fetch(`${door}/api/v1/bots/max/webhook`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-max-bot-api-secret": shop.secret },
      body: JSON.stringify(body),
    });

  // covers shopbot: What is answered already is not answered again
  it.each([
    ["before the update is stored", "before", 0],
    ["after the commit, before MAX gets its answer", "after", 1],
  ] as const)(
    "killed %s: MAX brings it again, and it is answered once",
    async (_name, moment, stored) => {
      const chatId = await aChat();
      const body = update(chatId, `mid.killed-${moment}`);
      const stopped = relay.stopAt(moment, "shopbot.receive");
      const first = await aDoor();
      const unanswered = expect(bring(first.word, body)).rejects.toThrow("fetch failed");
      await stopped;
      await kill(first.child);
      await unanswered;
      expect(await inbox(chatId)).toHaveLength(stored);

      const second = await aDoor();
      const answer = await bring(second.word, body);
      expect([answer.status, await answer.json()]).toEqual([
        200,
        {
          ...{ ok: true, duplicate: stored === 1, trace_id: expect.any(String) },
          ...{ chat_id: chatId, provider_message_id: `mid.killed-${moment}` },
        },
      ]);
      await anotherBot();
      await answeredOnce(chatId, "СБП");
    },
    90_000,
  );
});
