import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import type { MediaFor } from "../../delivery/index.ts";
import { aWorkspace } from "../../delivery/testing/builders.ts";
import type { OwnDatabase } from "../../delivery/testing/own-database.ts";
import { startTestHttpServer, type TestHttpServer } from "../../http/testing/http-server.ts";
import { type Clock, systemClock } from "../../kernel/clock/index.ts";
import { createVault, generateKey } from "../../kernel/crypto/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { silentLog } from "../../kernel/log/index.ts";
import { createMetrics } from "../../kernel/metrics/index.ts";
import { createProviderClient } from "../../kernel/outbound/index.ts";
import { paths } from "../../kernel/paths/index.ts";
import type { Service } from "../../kernel/service/index.ts";
import { createMaxBot, createPlatforms, noMedia } from "../../platforms/index.ts";
import { createTokens } from "../../workspaces/index.ts";
import { noVariables } from "../../workspaces/testing/variables.ts";
import { setUpBot } from "../admin/bot-setup.ts";
import { shopBotRoutes } from "../routes.ts";
import { applyFile } from "../rules/releases.ts";
import { keepSubscribed } from "../subscription/keep-subscribed.ts";
import { createReplyCompiler } from "../work/compile-reply.ts";
import { createShopBot } from "../work/shop-bot.ts";

/** A shop bot with the twin of MAX: a real server, a real webhook, and a customer. */
export interface ShopHarness {
  readonly sql: Sql;
  readonly server: TestHttpServer;
  readonly workspaceId: string;
  readonly secret: string;
  readonly botName: string;
  readonly operatorsChatId: string;
  readonly twinsUrl: string;
  readonly deps: HarnessDeps;
  /** The bot's service. */
  readonly bot: Service;
  control(method: string, path: string, body?: unknown): Promise<ReturnType<typeof JSON.parse>>;
  /** A customer opens the bot; returns the chat's id. */
  open(name?: string): Promise<string>;
  say(chatId: string, text: string): Promise<string>;
  press(chatId: string, label: string): Promise<string>;
  /** Messages in the chat, oldest first. */
  messages(chatId: string): Promise<Shown[]>;
  /** The bot's messages, oldest first. */
  said(chatId: string): Promise<string[]>;
  logs(chatId: string): Promise<LogRow[]>;
  deliver(body: unknown, headers?: Record<string, string>): Promise<Response>;
  /** A second server with its own clock. */
  anotherServer(clock: Clock): Promise<Pick<ShopHarness, "deliver" | "stop">>;
  apply(file: string): Promise<unknown>;
  stop(): Promise<void>;
}

export interface Shown {
  readonly id: string;
  readonly text: string;
  readonly media?: readonly { readonly kind: string }[];
  readonly author: { readonly bot: boolean; readonly name: string };
  readonly buttons: readonly (readonly { readonly text: string; readonly kind: string }[])[];
}

export interface LogRow {
  readonly message_text: string;
  readonly matched_rule_id: string | null;
  readonly rule_version: number | null;
  readonly state_before: string;
  readonly state_after: string;
  readonly outcome: string;
  readonly action: string;
  readonly result: string;
  readonly response_preview: string | null;
  readonly meta: Record<string, unknown>;
}

type HarnessDeps = ReturnType<typeof depsOf>;

export const seedFile = () => readFileSync(paths.shopBot, "utf8");

export interface HarnessOptions {
  readonly twinsUrl: string;
  readonly clock?: Clock;
  readonly operators?: boolean;
  readonly leaseSeconds?: number;
  readonly timeoutMs?: number;
  readonly start?: boolean;
  /** Source of the rules' files; default: none. */
  readonly media?: MediaFor;
}

export async function startShopHarness(
  { sql, drop }: OwnDatabase,
  {
    twinsUrl,
    clock = systemClock,
    operators = false,
    leaseSeconds = 60,
    timeoutMs = 5_000,
    start = true,
    media,
  }: HarnessOptions,
): Promise<ShopHarness> {
  const deps = {
    ...depsOf(sql, twinsUrl, clock, { leaseSeconds, timeoutMs }),
    ...(media && { media }),
  };
  await sql`select workspaces.ensure_event_partitions()`;
  const workspaceId = await aWorkspace(sql);
  const botName = `shop_${randomUUID().slice(0, 8)}`;
  const token = `token-${randomUUID()}`;
  const secret = randomUUID();
  const operatorsChatId = `-${Math.floor(Math.random() * 1e9) + 1}`;
  const control = controlOf(twinsUrl);
  await control("POST", "/max/bots", { token, username: botName, first_name: "Магазин" });
  if (operators)
    await control("POST", "/max/chats", {
      chat_id: Number(operatorsChatId),
      type: "chat",
      title: "Сотрудники",
      members: [{ bot: botName, is_admin: true }],
    });
  const by = { operator: "test" };
  await setUpBot(
    deps,
    workspaceId,
    { title: "Магазин", token, secret, operators_chat_id: operators ? operatorsChatId : null },
    by,
  );
  await sql`update shopbot.bots set rate_rps = 0, chat_rps = 0 where workspace_id = ${workspaceId}`;
  await sql`update delivery.workspace_endpoints set ingress_rps = 0 where workspace_id = ${workspaceId}`;
  await applyFile(deps, workspaceId, seedFile(), by);
  const server: TestHttpServer = await startTestHttpServer({
    sql,
    clock,
    modules: [shopBotRoutes({ ...deps, publicUrl: () => server.url() })],
  });
  const kept = await keepSubscribed(workspaceId, server.url(), deps);
  if (kept.kind === "failed") throw new Error(kept.reason);
  const bot = createShopBot(deps);
  if (start) await bot.start();

  const messages = async (chatId: string): Promise<Shown[]> =>
    (await control("GET", `/chats/max/${chatId}/messages?limit=100`)).messages;
  return {
    sql,
    server,
    workspaceId,
    secret,
    botName,
    operatorsChatId,
    twinsUrl,
    deps,
    bot,
    control,
    async open(name = "Ирина") {
      const { chat_id } = await control("POST", `/max/bots/${botName}/start`, { user: { first_name: name } });
      return String(chat_id);
    },
    async say(chatId, text) {
      return (await control("POST", `/max/chats/${chatId}/say`, { text })).message.id;
    },
    async press(chatId, label) {
      const message = (await messages(chatId)).findLast(({ buttons }) =>
        buttons.flat().some(({ text }) => text === label),
      );
      if (!message) throw new Error(`there is no button ${label}`);
      const row = message.buttons.findIndex((each) => each.some(({ text }) => text === label));
      const column = message.buttons[row]?.findIndex(({ text }) => text === label);
      const pressed = await control("POST", `/max/chats/${chatId}/press`, {
        message_id: message.id,
        row,
        column,
      });
      return pressed.callback_id;
    },
    messages,
    said: async (chatId) =>
      (await messages(chatId)).filter(({ author }) => author.bot).map(({ text }) => text),
    logs: (chatId) => sql<LogRow[]>`
      select message_text, matched_rule_id, rule_version, state_before, state_after, outcome, action, result,
        response_preview, meta
      from shopbot.bot_logs where workspace_id = ${workspaceId} and chat_id = ${chatId} order by ts, seq`,
    deliver: (body, headers = { "x-max-bot-api-secret": secret }) =>
      server.call("/api/v1/bots/max/webhook", { body, headers }),
    async anotherServer(itsClock) {
      const itsDeps = { ...deps, metrics: createMetrics(), clock: itsClock };
      const other = await startTestHttpServer({
        sql,
        clock: itsClock,
        modules: [shopBotRoutes({ ...itsDeps, publicUrl: () => server.url() })],
      });
      return {
        deliver: (body) =>
          other.call("/api/v1/bots/max/webhook", { body, headers: { "x-max-bot-api-secret": secret } }),
        stop: () => other.stop(),
      };
    },
    apply: (file) => applyFile(deps, workspaceId, file, by),
    async stop() {
      await bot.stop();
      await server.stop();
      await deps.http.close();
      await drop();
    },
  };
}

function depsOf(
  sql: Sql,
  twinsUrl: string,
  clock: Clock,
  { leaseSeconds, timeoutMs }: { leaseSeconds: number; timeoutMs: number },
) {
  const vault = createVault([generateKey()], clock);
  const maxApiRoot = `${twinsUrl}/max`;
  const platforms = createPlatforms(
    {
      TELEGRAM_API_ROOT: "http://127.0.0.1:1",
      MAX_API_ROOT: maxApiRoot,
    },
    { requestTimeoutMs: timeoutMs },
  );
  return {
    sql,
    clock,
    vault,
    platforms,
    log: silentLog,
    metrics: createMetrics(),
    http: createProviderClient({ defaultTimeoutMs: timeoutMs }),
    maxBot: createMaxBot({ apiRoot: maxApiRoot, requestTimeoutMs: timeoutMs }),
    media: ((_) => noMedia) as MediaFor,
    payloads: { save: async () => "unused" },
    token: createTokens(sql, vault, noVariables).token,
    compile: createReplyCompiler(platforms),
    concurrency: 8,
    leaseSeconds,
  };
}

function controlOf(twinsUrl: string): ShopHarness["control"] {
  return async (method, path, body) => {
    const answer = await fetch(`${twinsUrl}/_control${path}`, {
      method,
      ...(body !== undefined && {
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return JSON.parse(text);
  };
}
