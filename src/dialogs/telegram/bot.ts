/**
 * A Telegram bot in every workspace that has a credential of its name: the bot's behaviour is code, its identity is a
 * token that operators store with all other tokens.
 */
import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import type { KeyValue } from "../../kernel/kv/index.ts";
import type { Log } from "../../kernel/log/index.ts";
import type { HttpClient } from "../../kernel/outbound/index.ts";
import { type Service, serviceGroup } from "../../kernel/service/index.ts";
import { createWorker, idle } from "../../kernel/worker/index.ts";
import { workspacesWithCredential } from "../../workspaces/index.ts";
import type { Gate } from "../engine/deps.ts";
import { createDialogs } from "../engine/dialogs.ts";
import { registerFlows } from "../flow/check.ts";
import type { Flow } from "../flow/flow.ts";
import type { Interjection } from "../flow/interjection.ts";
import type { BotKeyboard } from "../flow/keyboard.ts";
import type { Route } from "../flow/screens.ts";
import { type AsideDeps, hearAside, type Till } from "./aside.ts";
import { telegramApi } from "./client.ts";
import { createCommandMenu, type MenuCommand } from "./command-menu.ts";
import { createTelegramMessenger } from "./messenger.ts";
import { createTelegramPolling } from "./polling.ts";
import { createSubscription } from "./subscription.ts";
import { type TokenDeps, tokenOf } from "./token.ts";
import { webhookPath } from "./webhook.ts";

export interface TelegramBotSettings<Services> {
  /** Also the `auth_ref` of its credential; it is part of URLs. */
  readonly name: string;
  readonly flows: readonly Flow<Services>[];
  readonly services: Services;
  /** Screens outside flows. */
  readonly screens?: readonly Route<Services>[];
  readonly keyboard?: BotKeyboard<Services>;
  /** Sees every update of a person first; `false` ignores it. */
  readonly gate?: Gate<Services>;
  /** Reads a file that is sent by its key, in any workspace. */
  readonly files?: (key: string) => Promise<Uint8Array | undefined>;
  /** A flow, or `screen:` and an address. */
  readonly home?: string;
  readonly interject?: Interjection;
  /** Telegram's menu of commands. */
  readonly commands?: readonly MenuCommand[];
  /** For a bot that sells: records its payments. */
  readonly till?: Till;
}

export interface TelegramBotDeps extends TokenDeps {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly log: Log;
  readonly http: HttpClient;
  readonly keyValue: KeyValue;
  readonly apiRoot: string;
  /** The public address of this server for webhooks. Without it, updates are polled. */
  webhooksAt(): string | undefined;
  /** How often to check which workspaces have the bot, and whether their webhooks are set. */
  readonly lookEveryMs?: number;
  readonly leaseMs?: number;
}

export interface TelegramBot extends Service {
  readonly bot: string;
  /** Receives updates outside dialogs: payments, and who blocks the bot. */
  aside(workspaceId: string, raws: readonly unknown[]): Promise<void>;
}

const usualLookMs = 60_000;

export function createTelegramBot<Services>(
  settings: TelegramBotSettings<Services>,
  deps: TelegramBotDeps,
): TelegramBot {
  const { sql, log, lookEveryMs = usualLookMs } = deps;
  const { name } = settings;
  // Invalid flows must fail when the server starts, not when the first workspace gets the bot.
  registerFlows(settings.flows, settings);
  const running = new Map<string, Service>();
  const worker = createWorker({
    name: `telegram bot ${name}`,
    log,
    trouble: "the workspaces of a bot could not be looked up",
    notices: {
      sql,
      channel: "molva_credentials",
      heard: (credential) => credential.endsWith(`/telegram/${name}`),
    },
    safetyNetMs: lookEveryMs,
    async round() {
      const wanted = new Set(await workspacesWithCredential(sql, { platform: "telegram", auth_ref: name }));
      for (const [workspaceId, service] of running) {
        if (wanted.has(workspaceId)) continue;
        running.delete(workspaceId);
        await service.stop();
      }
      for (const workspaceId of wanted) {
        if (running.has(workspaceId)) continue;
        const service = createWorkspaceBot(workspaceId, settings, deps);
        await service.start();
        running.set(workspaceId, service);
      }
      return idle;
    },
  });
  return {
    name: worker.name,
    bot: name,
    aside: (workspaceId, raws) => hearAside(raws, asideOf(workspaceId, settings, deps)),
    start: worker.start,
    async stop() {
      await worker.stop();
      await Promise.all([...running.values()].map((service) => service.stop()));
      running.clear();
    },
  };
}

function asideOf<Services>(
  workspaceId: string,
  { name, till }: TelegramBotSettings<Services>,
  deps: TelegramBotDeps,
): AsideDeps {
  const { sql, clock, http, apiRoot } = deps;
  const key = { workspaceId, bot: name };
  return {
    ...{ sql, clock, key, till },
    log: deps.log.child({ bot: name, workspace_id: workspaceId }),
    api: telegramApi({ http, apiRoot, token: () => tokenOf(key, deps) }),
  };
}

function createWorkspaceBot<Services>(
  workspaceId: string,
  settings: TelegramBotSettings<Services>,
  deps: TelegramBotDeps,
): Service {
  const { name, commands = [], till: _till, ...talk } = settings;
  const { sql, clock, keyValue, leaseMs } = deps;
  const beside = asideOf(workspaceId, settings, deps);
  const { api, log, key } = beside;
  const dialogs = createDialogs({
    ...{ sql, clock, log, key, ...talk },
    messenger: createTelegramMessenger(api),
    ...(leaseMs !== undefined && { leaseMs }),
  });
  const at = deps.webhooksAt();
  const hearing =
    at === undefined
      ? createTelegramPolling({
          ...{ api, log, receive: dialogs.receive, aside: (raws) => hearAside(raws, beside) },
          turn: { keyValue, key: `dialogs.polling.${workspaceId}.${name}` },
        })
      : createSubscription({
          ...{ sql, api, log, key, everyMs: deps.lookEveryMs },
          url: `${at}${webhookPath(key)}`,
        });
  return serviceGroup(`${name} of ${workspaceId}`, [dialogs, hearing, createCommandMenu(commands, api, log)]);
}
