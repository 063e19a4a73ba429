import { type ChildProcess, fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { aWorkspace } from "../../src/delivery/testing/builders.ts";
import { projectRoot } from "../../src/kernel/paths/index.ts";
import { type RunningTwins, startTwins } from "../../twins/index.ts";
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
const aSpare = () => fork(join(projectRoot, "tests", "support", "conversation-process.js"), { execArgv: [] });
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
    const child = spare ?? aSpare();
    spare = aSpare();
    processes.push(child);
    child.send(settings);
    await once(child, "message");
    return child;
  }
  const stands = async () => {
    const [row] = await database.sql`
      select data, revision::int, shown_revision::int from dialogs.dialogues where bot = ${key.bot}`;
    return row;
  };
  return { person, aBot, stands };
}

const said = async (person: TelegramPerson) =>
  (await person.messages()).filter(({ author }) => author.bot).map(({ text }) => text);

/** What stops the process; it has stopped when the inner promise resolves. */
const steps: Record<string, (person: TelegramPerson) => Promise<{ stood: Promise<unknown> }>> = {
  "before it stores the press": async () => ({ stood: relay.stopAt("before", "insert into dialogs.inbox") }),
  "when it has stored the press, before it knows of it": async () => ({
    stood: relay.stopAt("after", "pg_notify('molva_dialogs'"),
  }),
  "when it has taken the press, before it decides": async () => ({
    stood: relay.stopAt("after", "select body from dialogs.inbox"),
  }),
  "when it has decided, before it writes": async () => ({
    stood: relay.stopAt("before", "work_attempts = case when work_id"),
  }),
  "when it has written, before the commit": async () => ({
    stood: relay.stopAt("after", "update dialogs.inbox set done_at"),
  }),
  "after the commit, before the press is answered": async (person) => {
    await person.fault("answerCallbackQuery", { kind: "hang" });
    return { stood: person.struck() };
  },
  "after the commit, before it takes the screen": async () => ({
    stood: relay.stopAt("before", "update dialogs.dialogues set showing_until"),
  }),
  "when the request has left, before Telegram does anything": async (person) => {
    await person.fault("editMessageText", { kind: "hang" });
    return { stood: person.struck() };
  },
  "when Telegram has shown the screen, before we hear of it": async (person) => {
    await person.fault("editMessageText", { kind: "hang", after: true });
    return { stood: person.struck() };
  },
  "when it has heard that the screen is shown, before it is noted": async () => ({
    stood: relay.stopAt("before", "shown_revision ="),
  }),
};

it.each(Object.entries(steps))(
  "killed %s: the press counts once and its screen is seen",
  async (_, stop) => {
    const { person, aBot, stands } = await aHarness();
    const first = await aBot();
    await person.say("/count");
    await person.see("Счёт: 0");
    await until("the first screen to be noted", async () => (await stands())?.shown_revision === 1);
    const { stood } = await stop(person);
    await person.press("Ещё");
    await stood;
    await kill(first);
    await aBot();
    await person.see("Счёт: 1");
    await until("the screen to be noted", async () => (await stands())?.shown_revision === 2);
    expect(await stands()).toMatchObject({ data: { count: 1 }, revision: 2 });
    expect(await said(person)).toEqual(["Счёт: 1"]);
  },
  90_000,
);

it("killed when a first screen has arrived, before we hear of it: it may come twice, and one press counts", async () => {
  const { person, aBot, stands } = await aHarness();
  await person.fault("sendMessage", { kind: "hang", after: true });
  const first = await aBot();
  await person.say("/count");
  await person.see("Счёт: 0");
  await kill(first);
  await aBot();
  await until("the second copy", async () => (await said(person)).length === 2);
  for (const { id } of await person.messages().then((all) => all.filter(({ author }) => author.bot)))
    await person.control("POST", `/telegram/chats/${person.chatId}/press`, {
      message_id: id,
      row: 0,
      column: 0,
    });
  await person.see("Счёт: 1");
  await until(
    "both presses to be answered",
    async () => (await person.calls("answerCallbackQuery")).length === 2,
  );
  expect(await stands()).toMatchObject({ data: { count: 1 } });
}, 90_000);

it("killed in the middle of long work: it is done again under the same id, and ends once", async () => {
  const ids: string[] = [];
  const courier = createServer((request, response) => {
    ids.push(request.url ?? "");
    if (ids.length > 1) response.end("done");
  });
  await once(courier.listen(0, "127.0.0.1"), "listening");
  const address = courier.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const { person, aBot, stands } = await aHarness(`http://127.0.0.1:${port}`);
  try {
    const first = await aBot();
    await person.say("/count");
    await person.press("Ещё");
    await person.see("Счёт: 1");
    await person.press("Удвоить");
    await person.see("Считаю…");
    await until("the work to begin", () => ids.length === 1);
    await kill(first);
    await aBot();
    await person.see("Счёт: 2");
    expect(new Set(ids).size).toBe(1);
    expect(ids).toHaveLength(2);
    expect(await stands()).toMatchObject({ data: { count: 2 } });
  } finally {
    courier.closeAllConnections();
    courier.close();
  }
}, 90_000);
