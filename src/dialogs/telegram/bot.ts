/**
 * A bot of Telegram in every workspace that has a credential of its name: what the bot says and does is code, whom it speaks
 * as is a token that operators keep where all their tokens are.
 */
import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import type { KeyValue } from "../../kernel/kv/index.ts";
import type { Log } from "../../kernel/log/index.ts";
import type { HttpClient } from "../../kernel/outbound/index.ts";
import { type Service, serviceGroup } from "../../kernel/service/index.ts";
import { createWorker, idle } from "../../kernel/worker/index.ts";
import { workspacesWithCredential } from "../../workspaces/index.ts";
import { createDialogs } from "../engine/dialogs.ts";
import { registerFlows } from "../flow/check.ts";
import type { Flow } from "../flow/flow.ts";
import type { Interjection } from "../flow/interjection.ts";
import { telegramApi } from "./client.ts";
import { createCommandMenu, type MenuCommand } from "./command-menu.ts";
import { createTelegramMessenger } from "./messenger.ts";
import { createTelegramPolling } from "./polling.ts";
import { createSubscription } from "./subscription.ts";
import { type TokenDeps, tokenOf } from "./token.ts";
import { webhookPath } from "./webhook.ts";

export interface TelegramBotSettings<Services> {
  /** Also the `auth_ref` of its credential; it stands in addresses. */
  readonly name: string;
  readonly flows: readonly Flow<Services>[];
  readonly services: Services;
  readonly home?: string;
  readonly interject?: Interjection;
  /** What Telegram offers to those who type a slash. */
  readonly commands?: readonly MenuCommand[];
}

export interface TelegramBotDeps extends TokenDeps {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly log: Log;
  readonly http: HttpClient;
  readonly keyValue: KeyValue;
  readonly apiRoot: string;
  /** Where Telegram reaches this server. Without it Telegram is asked for updates instead. */
  webhooksAt(): string | undefined;
  /** How often to look which workspaces have the bot, and whether their webhooks stand. */
  readonly lookEveryMs?: number;
  readonly leaseMs?: number;
}

export interface TelegramBot extends Service {
  readonly bot: string;
}

const usualLookMs = 60_000;

export function createTelegramBot<Services>(
  settings: TelegramBotSettings<Services>,
  deps: TelegramBotDeps,
): TelegramBot {
  const { sql, log, lookEveryMs = usualLookMs } = deps;
  const { name } = settings;
  // What cannot run shall be known when the server starts, not when the first workspace wants the bot.
  registerFlows(settings.flows);
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
    start: worker.start,
    async stop() {
      await worker.stop();
      await Promise.all([...running.values()].map((service) => service.stop()));
      running.clear();
    },
  };
}

function createWorkspaceBot<Services>(
  workspaceId: string,
  { name, commands = [], ...talk }: TelegramBotSettings<Services>,
  deps: TelegramBotDeps,
): Service {
  const { sql, clock, http, apiRoot, keyValue, leaseMs } = deps;
  const log = deps.log.child({ bot: name, workspace_id: workspaceId });
  const key = { workspaceId, bot: name };
  const api = telegramApi({ http, apiRoot, token: () => tokenOf(key, deps) });
  const dialogs = createDialogs({
    ...{ sql, clock, log, key, ...talk },
    messenger: createTelegramMessenger(api),
    ...(leaseMs !== undefined && { leaseMs }),
  });
  const at = deps.webhooksAt();
  const hearing =
    at === undefined
      ? createTelegramPolling({
          ...{ api, log, receive: dialogs.receive },
          turn: { keyValue, key: `dialogs.polling.${workspaceId}.${name}` },
        })
      : createSubscription({
          ...{ sql, api, log, key, everyMs: deps.lookEveryMs },
          url: `${at}${webhookPath(key)}`,
        });
  return serviceGroup(`${name} of ${workspaceId}`, [dialogs, hearing, createCommandMenu(commands, api, log)]);
}
