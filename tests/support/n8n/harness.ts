import { randomUUID } from "node:crypto";
import { type FeedServer, startFeedServer } from "../../../src/delivery/pull/testing/feed-server.ts";
import {
  aChannel,
  anEndpoint,
  aWorkspace,
  type ChannelBuilder,
} from "../../../src/delivery/testing/builders.ts";
import { createApiToken } from "../../../src/http/index.ts";
import { systemClock } from "../../../src/kernel/clock/index.ts";
import { silentLog } from "../../../src/kernel/log/index.ts";
import { paths } from "../../../src/kernel/paths/index.ts";
import { createSystem, type System } from "../../../src/main.ts";
import type { Role } from "../../../src/module/index.ts";
import { configFrom } from "../../../src/modules.ts";
import { type FaultKind, type MessageView, startTwins } from "../../../twins/index.ts";
import { type TestDatabase, testDatabase } from "../database.ts";
import { tempFolder } from "../temp-folder.ts";
import { type Ended, runWorkflow } from "./walk.ts";
import { readWorkflow } from "./workflow.ts";

type Messenger = "telegram" | "max";

const tokens = { TELEGRAM_BOT_TOKEN: `7200000001:${"N".repeat(35)}`, MAX_BOT_TOKEN: "n8n-max-token" };

/** What opens the hooks by which each workflow is run once. */
export const hookSecret = "hook-secret";

/** An API server of Molva, which has the tokens, the twins of the messengers, and n8n beside them. */
export interface N8nHarness {
  readonly database: TestDatabase;
  readonly twinsUrl: string;
  /** A server for sources to be read from. */
  readonly feeds: FeedServer;
  /** Where Molva's API is. */
  readonly url: string;
  /** A new workspace; those of earlier tests are paused. */
  aTenant(): Promise<Tenant>;
  walk(workflow: string, start: string, input?: unknown, env?: Record<string, string>): Promise<Ended>;
  /** Another process of Molva's. */
  alsoRun(roles: readonly Role[]): Promise<System>;
  fault(match: { provider?: string; chat?: string; method?: string }, fault: FaultKind): Promise<void>;
  messages(messenger: Messenger, chat: string): Promise<MessageView[]>;
  aChat(messenger: Messenger): Promise<string>;
  stop(): Promise<void>;
}

export interface Tenant {
  readonly workspaceId: string;
  readonly secret: string;
  readonly authorization: string;
  /** A channel whose token both have; returns its chat. */
  aChannel(messenger: Messenger, given?: ChannelBuilder): Promise<string>;
  /** Posts through `01_ingest`; returns the message's id. */
  post(payload: Record<string, unknown>): Promise<string>;
  /** The deliveries of a message by their chats. */
  deliveries(messageId: string): Promise<Record<string, DeliveryRow>>;
  actions(messageId: string, chat: string): Promise<string[]>;
}

export interface DeliveryRow {
  readonly status: string;
  readonly attempt: number;
  readonly last_error: Record<string, unknown> | null;
  readonly provider_message_id: string | null;
  readonly provider_meta: unknown;
  readonly next_retry_at: Date | null;
  readonly rendered_text: string;
  readonly render_meta: Record<string, unknown>;
}

export async function startN8nHarness(): Promise<N8nHarness> {
  const database = await testDatabase();
  const { sql } = database;
  const twins = await startTwins({
    port: 0,
    host: "127.0.0.1",
    insecureWebhooks: true,
    rateLimits: false,
    web: paths.web,
  });
  const feeds = await startFeedServer();
  await sql`select workspaces.ensure_event_partitions()`;

  async function alsoRun(roles: readonly Role[]): Promise<System> {
    const settings = {
      MOLVA_HOME: tempFolder("n8n"),
      MOLVA_PORT: "0",
      DATABASE_URL: database.url,
      MOLVA_ALLOW_HOSTS: `${new URL(twins.url).host},${feeds.host}`,
      ...tokens,
      MOLVA_WORKSPACE_VARIABLES: Object.keys(tokens)
        .map((name) => `${name}=*`)
        .join(),
    };
    const system = await createSystem({
      config: configFrom(settings),
      environment: settings,
      databaseUrl: database.url,
      roles,
      log: silentLog,
      twinsUrl: twins.url,
    });
    await system.start();
    return system;
  }
  const api = await alsoRun(["api"]);

  async function control(path: string, body?: unknown) {
    const answer = await fetch(`${twins.url}/_control${path}`, {
      ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
      headers: { "content-type": "application/json" },
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return JSON.parse(await answer.text());
  }
  const bot = { username: "n8n_bot", first_name: "Молва" };
  await control("/telegram/bots", { ...bot, token: tokens.TELEGRAM_BOT_TOKEN });
  await control("/max/bots", { ...bot, token: tokens.MAX_BOT_TOKEN });

  let authorization = "";
  const walk: N8nHarness["walk"] = (workflow, start, input = {}, env = {}) =>
    runWorkflow(readWorkflow(workflow), start, input, {
      sql,
      credentials: {
        "molva-api": { name: "Authorization", value: authorization },
        "molva-hooks": { name: "X-Molva-Hook", value: hookSecret },
      },
      env: { MOLVA_URL: api.url(), TELEGRAM_API_ROOT: `${twins.url}/telegram`, ...env },
    });

  let nextChat = 1;
  async function aChat(messenger: Messenger): Promise<string> {
    const id = nextChat++;
    if (messenger === "telegram") {
      const members = [{ bot: bot.username, status: "administrator", can_post_messages: true }];
      await control("/telegram/chats", { id: -1_002_900_000_000 - id, type: "channel", title: "К", members });
      return String(-1_002_900_000_000 - id);
    }
    const members = [{ bot: bot.username, is_admin: true, permissions: ["write"] }];
    await control("/max/chats", { chat_id: -79_000_000 - id, type: "channel", title: "К", members });
    return String(-79_000_000 - id);
  }

  async function aTenant(): Promise<Tenant> {
    await sql`update workspaces.workspaces set status = 'disabled'`;
    const workspaceId = await aWorkspace(sql);
    const { secret } = await anEndpoint(sql, workspaceId);
    for (const messenger of ["telegram", "max"])
      await sql`
        insert into workspaces.credential_bindings (workspace_id, platform, auth_ref, secret_ref)
        values (${workspaceId}, ${messenger}, ${messenger}, ${`env:${messenger.toUpperCase()}_BOT_TOKEN`})`;
    const { token } = await createApiToken(sql, {
      name: "n8n",
      scopes: ["read", "write", "operate", "people", "admin"],
      workspaceId,
      createdBy: null,
      expiresAt: null,
      clock: systemClock,
    });
    authorization = `Bearer ${token}`;
    return {
      workspaceId,
      secret,
      authorization,
      async aChannel(messenger, given = {}) {
        const target_id = given.target_id ?? (await aChat(messenger));
        const rate_group = randomUUID();
        const row = { platform: messenger, auth_ref: messenger, rate_group, max_parallel: 4, ...given };
        await aChannel(sql, workspaceId, { ...row, target_id });
        return target_id;
      },
      async post(payload) {
        const { answer } = await walk("01_ingest", "Post", {
          headers: { "x-molva-secret": secret },
          body: { payload },
        });
        if (answer?.status !== 200) throw new Error(JSON.stringify(answer));
        return String(Object(answer.body).message_id);
      },
      async deliveries(messageId) {
        const rows = await sql<(DeliveryRow & { target_id: string })[]>`
          select c.target_id, d.status, d.attempt, d.last_error, d.provider_message_id, d.provider_meta, d.next_retry_at,
            d.rendered_text, d.render_meta
          from delivery.deliveries d join delivery.channels c using (workspace_id, channel_id)
          where d.workspace_id = ${workspaceId} and d.message_id = ${messageId}`;
        return Object.fromEntries(rows.map(({ target_id, ...row }) => [target_id, row]));
      },
      async actions(messageId, chat) {
        const rows = await sql`
          select e.action from workspaces.events e join delivery.channels c using (workspace_id, channel_id)
          where e.message_id = ${messageId} and c.target_id = ${chat} order by e.ts, e.id`;
        return rows.map(({ action }) => action);
      },
    };
  }

  return {
    database,
    twinsUrl: twins.url,
    feeds,
    url: api.url(),
    aTenant,
    walk,
    alsoRun,
    aChat,
    fault: async (match, fault) => {
      await control("/faults", { ...match, fault, times: 1 });
    },
    messages: async (messenger, chat) => (await control(`/chats/${messenger}/${chat}/messages`)).messages,
    async stop() {
      await api.stop();
      await twins.close();
      await feeds.close();
      await database.drop();
    },
  };
}
