import { demo } from "../../src/delivery/index.ts";
import { type Log, silentLog } from "../../src/kernel/log/index.ts";
import { paths } from "../../src/kernel/paths/index.ts";
import { createSystem, type System } from "../../src/main.ts";
import { type Module, roles } from "../../src/module/index.ts";
import { configFrom } from "../../src/modules.ts";
import { type FaultKind, type JournalEntry, type MessageView, startTwins } from "../../twins/index.ts";
import { databaseWithJobs, type TestDatabase, testDatabase } from "./database.ts";
import { tempFolder } from "./temp-folder.ts";
import { until } from "./until.ts";

/** The whole system in this process: every role, the demo's channels, and the twins over real HTTP. */
export interface RunningSystem {
  readonly system: System;
  readonly database: TestDatabase;
  readonly twinsUrl: string;
  post(body: Record<string, unknown>): Promise<{ message_id: string; queued: number }>;
  fault(
    match: { provider?: string; bot?: string; chat?: string; method?: string },
    fault: FaultKind,
    times?: number,
  ): Promise<void>;
  messages(provider: string, chatId: string): Promise<MessageView[]>;
  journal(): Promise<JournalEntry[]>;
  /** Every delivery of the message, after all of them have ended. */
  settled(messageId: string): Promise<Record<string, unknown>[]>;
  /** Stops the system and starts another one on the same database; the twins go on. */
  restart(meanwhile?: () => Promise<unknown>): Promise<void>;
  stop(): Promise<void>;
}

export interface RunningSystemOptions {
  readonly environment?: Record<string, string>;
  /** Changes to the demo's seed before anything is posted. */
  readonly prepare?: (database: TestDatabase) => Promise<unknown>;
  readonly log?: Log;
  /** All modules of Molva unless given. */
  readonly modules?: readonly Module[];
  /** Whether the demo's accounts publish too; most tests count messages and need them off. */
  readonly accounts?: boolean;
  /** Whether the bots answer; a test that takes their steps itself needs them off. */
  readonly bots?: boolean;
  /** Whether jobs are done; a test that does its own work needs them off. */
  readonly jobs?: boolean;
  /** Whether the demo's business is there and has its article written. */
  readonly business?: boolean;
  /** Creates the database role of the system before it starts; the owner of the tables unless given. */
  readonly databaseUrl?: (database: TestDatabase) => Promise<string>;
}

export async function startSystem({
  environment = {},
  prepare,
  log = silentLog,
  accounts = false,
  bots = true,
  jobs = true,
  business = false,
  modules,
  databaseUrl = async ({ url }) => url,
}: RunningSystemOptions = {}): Promise<RunningSystem> {
  const database = await (business || !jobs ? databaseWithJobs() : testDatabase());
  const url = await databaseUrl(database);
  const twins = await startTwins({
    port: 0,
    host: "127.0.0.1",
    insecureWebhooks: true,
    rateLimits: false,
    web: paths.web,
  });
  const settings = {
    MOLVA_HOME: tempFolder("system"),
    MOLVA_PORT: "0",
    DATABASE_URL: url,
    MOLVA_SEND_TIMEOUT_SECONDS: "1",
    MOLVA_SENDING_LEASE_SECONDS: "5",
    ...environment,
  };
  const off = new Set([
    ...(accounts ? [] : ["accounts"]),
    ...(bots ? [] : ["bots"]),
    ...(jobs ? [] : ["jobs"]),
  ]);
  const create = () =>
    createSystem({
      config: configFrom(settings, modules),
      environment: settings,
      databaseUrl: url,
      roles: roles.filter((role) => !off.has(role)),
      log,
      twinsUrl: twins.url,
      ...(modules && { modules }),
    });
  let system = await create();
  await database.sql`select workspaces.ensure_event_partitions()`;
  await system.seed(business ? "work" : "nothing");
  // The demo's own posts are of no interest here.
  await database.sql`truncate delivery.messages, delivery.deliveries, workspaces.events, delivery.ingress_receipts cascade`;
  await prepare?.(database);
  await system.start();

  async function control(path: string, body?: unknown) {
    const init =
      body === undefined
        ? {}
        : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    const answer = await fetch(`${twins.url}/_control${path}`, init);
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return JSON.parse(await answer.text());
  }

  return {
    get system() {
      return system;
    },
    database,
    twinsUrl: twins.url,
    async restart(meanwhile) {
      await system.stop();
      await meanwhile?.();
      system = await create();
      await system.start();
    },
    async post(body) {
      const answer = await fetch(`${system.url()}/api/v1/ingest`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-molva-secret": demo.secret },
        body: JSON.stringify(body),
      });
      if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
      return JSON.parse(await answer.text());
    },
    fault: async (match, fault, times = 1) => {
      await control("/faults", { ...match, fault, times });
    },
    messages: async (provider, chatId) => (await control(`/chats/${provider}/${chatId}/messages`)).messages,
    journal: async () => (await control("/journal?limit=1000")).entries,
    settled: (messageId) =>
      until(`message ${messageId} is settled everywhere`, async () => {
        const rows = await database.sql`
          select d.*, c.title, c.platform, c.target_id from delivery.deliveries d
          join delivery.channels c using (workspace_id, channel_id)
          where d.message_id = ${messageId} order by c.platform, c.target_id desc`;
        return rows.every(({ status }) => ["sent", "failed_permanent", "dead"].includes(status)) && [...rows];
      }),
    async stop() {
      await system.stop();
      await twins.close();
      await database.drop();
    },
  };
}
