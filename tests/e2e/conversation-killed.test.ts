import { type ChildProcess, fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, it, onTestFinished } from "vitest";
import { aWorkspace } from "../../src/delivery/testing/builders.ts";
import { projectRoot } from "../../src/kernel/paths/index.ts";
import { type RunningTwins, startTwins } from "../../twins/index.ts";
import { builtScript } from "../support/built-script.ts";
import { startCountingBot } from "../support/counting-bot.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { type PostgresRelay, startPostgresRelay } from "../support/postgres-relay.ts";
import { aTelegramPerson, type TelegramPerson } from "../support/telegram-person.ts";
import { until } from "../support/until.ts";

/**
 * A process is killed between every two steps of handling a tap, and another takes over: the tap counts once, and the
 * person sees the right screen. A relay in front of the database stops it at a statement, the twin at a request.
 */
let database: TestDatabase;
let relay: PostgresRelay;
let twins: RunningTwins;
let workspaceId = "";
const processes: ChildProcess[] = [];
const source = join(projectRoot, "tests", "support", "conversation-process.ts");
const aSpare = async () => fork(await builtScript(source), { execArgv: [] });
/** The next process loads its code while the one before it works. */
let spare: ChildProcess | undefined;

beforeAll(async () => {
  database = await testDatabase();
  relay = await startPostgresRelay(database.url);
  twins = await startTwins({ port: 0, host: "127.0.0.1", insecureWebhooks: true, rateLimits: false });
  workspaceId = await aWorkspace(database.sql);
});
afterEach(async () => {
  for (const child of processes.splice(0)) await kill(child);
  await fetch(`${twins.url}/_control/faults`, { method: "DELETE" });
});
afterAll(async () => {
  if (spare) await kill(spare);
  await relay.close();
  await twins.close();
  await database.drop();
});

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "exit");
}

async function aHarness(workUrl = "") {
  const person = await aTelegramPerson(twins.url);
  const key = { workspaceId, bot: randomUUID() };
  const apiRoot = `${twins.url}/telegram`;
  const settings = { databaseUrl: relay.url, apiRoot, token: person.token, key, leaseMs: 1_500, workUrl };
  async function aBot(): Promise<ChildProcess> {
    const child = spare ?? (await aSpare());
    spare = await aSpare();
    processes.push(child);
    child.send(settings);
    await once(child, "message");
    return child;
  }
  /** Only what is killed needs a process of its own: the bot that takes over runs in this one. */
  async function anotherBot(): Promise<void> {
    onTestFinished(await startCountingBot(settings));
  }
  const stands = async () => {
    const [row] = await database.sql`
      select data, revision::int, shown_revision::int from dialogs.dialogues where bot = ${key.bot}`;
    return row;
  };
  return { person, aBot, anotherBot, stands };
}

const said = async (person: TelegramPerson) =>
  (await person.messages()).filter(({ author }) => author.bot).map(({ text }) => text);

/** What stops the process; it has stopped when the inner promise resolves. */
const steps: Record<string, (person: TelegramPerson) => Promise<{ stood: Promise<unknown> }>> = {
  "before it stores the tap": async () => ({ stood: relay.stopAt("before", "insert into dialogs.inbox") }),
  "when it has stored the tap, before it knows of it": async () => ({
    stood: relay.stopAt("after", "pg_notify('molva_dialogs'"),
  }),
  "when it has taken the tap, before it decides": async () => ({
    stood: relay.stopAt("after", "select body, received_at from dialogs.inbox"),
  }),
  "when it has decided, before it writes": async () => ({
    stood: relay.stopAt("before", "work_attempts = case when work_id"),
  }),
  "when it has written, before the commit": async () => ({
    stood: relay.stopAt("after", "update dialogs.inbox set done_at"),
  }),
  "after the commit, before the tap is answered": async (person) => {
    await person.fault("answerCallbackQuery", { kind: "hang" });
    return { stood: person.struck() };
  },
  "after the commit, before it knows of it": async () => ({ stood: relay.stopAt("after", "commit") }),
  "when the request has left, before Telegram does anything": async (person) => {
    await person.fault("editMessageText", { kind: "hang" });
    return { stood: person.struck() };
  },
  "when Telegram has shown the screen, before we know of it": async (person) => {
    await person.fault("editMessageText", { kind: "hang", after: true });
    return { stood: person.struck() };
  },
  "when it has heard that the screen is shown, before it is noted": async () => ({
    stood: relay.stopAt("before", "shown_revision ="),
  }),
};

it.each(Object.entries(steps))(
  "killed %s: the tap counts once and its screen is seen",
  async (_, stop) => {
    const { person, aBot, anotherBot, stands } = await aHarness();
    const first = await aBot();
    await person.say("/count");
    await person.see("Счёт: 0");
    await until("the first screen to be noted", async () => (await stands())?.shown_revision === 1);
    const { stood } = await stop(person);
    await person.press("Ещё");
    await stood;
    await kill(first);
    await anotherBot();
    await person.see("Счёт: 1");
    await until("the screen to be noted", async () => (await stands())?.shown_revision === 2);
    expect(await stands()).toMatchObject({ data: { count: 1 }, revision: 2 });
    expect(await said(person)).toEqual(["Счёт: 1"]);
  },
  90_000,
);

it("killed when a first screen has arrived, before we know of it: it may come twice, and one tap counts", async () => {
  const { person, aBot, anotherBot, stands } = await aHarness();
  await person.fault("sendMessage", { kind: "hang", after: true });
  const first = await aBot();
  await person.say("/count");
  await person.see("Счёт: 0");
  await kill(first);
  await anotherBot();
  await until("the second copy", async () => (await said(person)).length === 2);
  for (const { id } of await person.messages().then((all) => all.filter(({ author }) => author.bot)))
    await person.control("POST", `/telegram/chats/${person.chatId}/press`, {
      message_id: id,
      row: 0,
      column: 0,
    });
  await person.see("Счёт: 1");
  await until(
    "both taps to be answered",
    async () => (await person.calls("answerCallbackQuery")).length === 2,
  );
  expect(await stands()).toMatchObject({ data: { count: 1 } });
});

it("killed in the middle of long work: it is done again under the same id, and ends once", async () => {
  const ids: string[] = [];
  const courier = createServer((request, response) => {
    ids.push(request.url ?? "");
    if (ids.length > 1) response.end("done");
  });
  await once(courier.listen(0, "127.0.0.1"), "listening");
  const address = courier.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const { person, aBot, anotherBot, stands } = await aHarness(`http://127.0.0.1:${port}`);
  try {
    const first = await aBot();
    await person.say("/count");
    await person.press("Ещё");
    await person.see("Счёт: 1");
    await person.press("Удвоить");
    await person.see("Считаю…");
    await until("the work to begin", () => ids.length === 1);
    await kill(first);
    await anotherBot();
    await person.see("Счёт: 2");
    expect(new Set(ids).size).toBe(1);
    expect(ids).toHaveLength(2);
    expect(await stands()).toMatchObject({ data: { count: 2 } });
  } finally {
    courier.closeAllConnections();
    courier.close();
  }
});
