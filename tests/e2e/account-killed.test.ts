import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { createAccountWorker, noGovernor } from "../../src/accounts/index.ts";
import { newRecords, type Records } from "../../src/accounts/testing/records.ts";
import { systemClock } from "../../src/kernel/clock/index.ts";
import { createVault, generateKey } from "../../src/kernel/crypto/index.ts";
import { silentLog } from "../../src/kernel/log/index.ts";
import { projectRoot } from "../../src/kernel/paths/index.ts";
import { noMedia } from "../../src/platforms/index.ts";
import { type AccountTwin, accountTwin, device } from "../support/account-twin.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { type PostgresRelay, startPostgresRelay } from "../support/postgres-relay.ts";
import { until } from "../support/until.ts";

/**
 * A worker is killed between every two steps of a publication, and another takes over: the message is there once, and the
 * queue and the history say so. A relay in front of the database stops it at a statement, the twin at a request.
 */
let database: TestDatabase;
let relay: PostgresRelay;
let twin: AccountTwin;
let records: Records;
let settings: Record<string, unknown>;
const times = { tickMs: 100, stuckSeconds: 1, retryMs: 100, postponeMs: 100 };
const processes: ChildProcess[] = [];
const aSpare = () => fork(join(projectRoot, "tests", "support", "account-process.js"), { execArgv: [] });
/** The next process loads its code while the one before it works. */
let spare: ChildProcess | undefined;

beforeAll(async () => {
  database = await testDatabase();
  relay = await startPostgresRelay(database.url);
  const vaultKey = generateKey();
  twin = await accountTwin(database.sql, { vault: createVault([vaultKey]) });
  records = await newRecords(database.sql);
  await database.sql`insert into accounts.settings (workspace_id, key, value)
    values (${records.workspaceId}, 'account_rate_limit', '{"enabled": false}')`;
  settings = {
    databaseUrl: relay.url,
    root: `${twin.twins.url}/telegram-account`,
    vaultKey,
    connections: { leaseMs: 800, heartbeatMs: 100, waitMs: 3_000, idleMs: 60_000 },
    times,
  };
});
afterEach(async () => {
  for (const child of processes.splice(0)) await kill(child);
  await twin.twins.control("DELETE", "/faults");
});
afterAll(async () => {
  if (spare) await kill(spare);
  await relay.close();
  await twin.close();
  await database.drop();
});

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "exit");
}

async function aWorker(): Promise<ChildProcess> {
  const child = spare ?? aSpare();
  left -= 1;
  spare = left > 0 ? aSpare() : undefined;
  processes.push(child);
  child.send(settings);
  await once(child, "message");
  return child;
}

async function aDueTask() {
  const accountId = await records.anAccount({
    device,
    timezone: "UTC",
    window_from: "00:00",
    window_to: "24:00",
  });
  const { phone } = await twin.signedIn({ workspaceId: records.workspaceId, accountId });
  const telegramId = await twin.aChat([phone]);
  const chatId = await records.aChat({ telegram_chat_id: telegramId });
  await records.link(accountId, chatId);
  const ids = { object_id: await records.anObject(), chat_id: chatId, account_id: accountId };
  return { id: await records.aTask(ids, { origin: "manual" }), telegramId, phone };
}

/** What stops the process; it has stopped when the inner promise resolves. */
const steps: Record<string, (at: { phone: string; chatId: string }) => Promise<{ stood: Promise<unknown> }>> =
  {
    "when it has taken the task, before it looks at it": async () => ({
      stood: relay.stopAt("after", "accounts.take_task"),
    }),
    "when the limiter has let it through, before it sends": async () => ({
      stood: relay.stopAt("after", "accounts.pass_limiter"),
    }),
    "when Telegram has the message, before it answers": async ({ phone, chatId }) => {
      await twin.twins.control("POST", "/faults", {
        ...{ provider: "telegram-account", bot: phone, method: "sendText", times: 1 },
        fault: { kind: "hang", after: true },
      });
      return { stood: until("the message", async () => (await twin.said(chatId)).length === 1) };
    },
    "when Telegram has answered, before that is recorded": async () => ({
      stood: relay.stopAt("before", "accounts.complete_task"),
    }),
    "when it is recorded, before the process knows": async () => ({
      stood: relay.stopAt("after", "accounts.complete_task"),
    }),
  };

let left = Object.keys(steps).length;

// covers accounts: 7. Two workers never send one task twice
it.each(Object.entries(steps))(
  "killed %s: the message is there once",
  async (_, stop) => {
    const { id, telegramId, phone } = await aDueTask();
    const { stood } = await stop({ phone, chatId: telegramId });
    const first = await aWorker();
    await stood;
    await kill(first);
    const second = createAccountWorker({
      ...{
        sql: database.sql,
        clock: systemClock,
        log: silentLog,
        media: () => noMedia,
        governor: noGovernor,
      },
      ...{ driver: twin.driver, times },
    });
    await second.start();
    await until("the task to end", async () => {
      const [task] = await database.sql`select status from accounts.queue where id = ${id}`;
      return task?.status === "completed";
    });
    await second.stop();
    expect(await twin.said(telegramId)).toHaveLength(1);
    expect(await database.sql`select from accounts.history where queue_id = ${id}`).toHaveLength(1);
  },
  90_000,
);
