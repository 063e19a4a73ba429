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
import type { Meet } from "../engine/deps.ts";
import { createDialogs } from "../engine/dialogs.ts";
import type { Pace } from "../engine/pace.ts";
import type { LooksSecret } from "../engine/secrets.ts";
import type { Timing } from "../engine/steps.ts";
import { registerFlows } from "../flow/check.ts";
import type { Flow } from "../flow/flow.ts";
import type { Interjection } from "../flow/interjection.ts";
import type { BotKeyboard } from "../flow/keyboard.ts";
import type { Route } from "../flow/screens.ts";
import type { OwnTexts } from "../texts/index.ts";
import { type AsideDeps, hearAside, type Till } from "./aside.ts";
import { telegramApi } from "./client.ts";
import { createCommandMenu, type MenuCommand } from "./command-menu.ts";
import { createTelegramMessenger } from "./messenger.ts";
import { createTelegramPolling } from "./polling.ts";
import { createSubscription } from "./subscription.ts";
import { readNowAndThen, type TokenDeps, tokenOf } from "./token.ts";
import type { wantedUpdates } from "./update.ts";
import { webhookPath } from "./webhook.ts";

export interface TelegramBotSettings<Services> {
  /** Also the `auth_ref` of its credential; it is part of URLs. */
  readonly name: string;
  readonly flows: readonly Flow<Services>[];
  readonly services: Services;
  /** Screens outside flows. */
  readonly screens?: readonly Route<Services>[];
  readonly keyboard?: BotKeyboard<Services>;
  /** Sees every update of a person first. */
  readonly meet?: Meet<Services>;
  /** Updates of one person beyond this are dropped in silence. */
  readonly pace?: Pace;
  /** Reads a file that is sent by its key, in any workspace. */
  readonly files?: (key: string) => Promise<Uint8Array | undefined>;
  /** A flow, or `screen:` and an address. */
  readonly home?: string;
  readonly interject?: Interjection;
  /** Texts that are taken out of the chat wherever they are written. */
  readonly looksSecret?: LooksSecret;
  /** The bot's own words in place of the engine's. */
  readonly texts?: OwnTexts;
  /** Times of this installation in place of the flows'. */
  readonly timing?: Timing;
  /** Telegram's menu of commands. */
  readonly commands?: readonly MenuCommand[];
  /** The address and secret of one token, in place of the workspace's own. */
  readonly webhook?: OwnWebhook;
  /** For a bot that sells: records its payments. */
  readonly till?: Till;
}

/** A webhook for the bot whose token the installation was given; those of other workspaces have addresses of their own. */
export interface OwnWebhook {
  /** From the root: `/webhook`. */
  readonly path: string;
  readonly token: string;
  readonly secret: string;
  readonly updates: typeof wantedUpdates;
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
/** Renewed three times as often; after a kill the talk goes on within this time. */
const usualLeaseMs = 4_000;

export function createTelegramBot<Services>(
  settings: TelegramBotSettings<Services>,
  deps: TelegramBotDeps,
): TelegramBot {
  const { sql, log, lookEveryMs = usualLookMs } = deps;
  const { name } = settings;
  // Invalid flows must fail when the server starts, not when the first workspace gets the bot.
  registerFlows(settings.flows, settings);
  const running = new Map<string, Service>();
  const hasOwn = async (workspaceId: string) =>
    settings.webhook !== undefined &&
    (await tokenOf({ workspaceId, bot: name }, deps)) === settings.webhook.token;
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
        const service = createWorkspaceBot(workspaceId, await hasOwn(workspaceId), settings, deps);
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
    api: telegramApi({ http, apiRoot, token: readNowAndThen(() => tokenOf(key, deps)) }),
  };
}

function createWorkspaceBot<Services>(
  workspaceId: string,
  hasOwnWebhook: boolean,
  settings: TelegramBotSettings<Services>,
  deps: TelegramBotDeps,
): Service {
  const { name, commands = [], till: _till, webhook, ...talk } = settings;
  const own = hasOwnWebhook ? webhook : undefined;
  const { sql, clock, keyValue, leaseMs = usualLeaseMs } = deps;
  const beside = asideOf(workspaceId, settings, deps);
  const { api, log, key } = beside;
  const dialogs = createDialogs({
    ...{ sql, clock, log, key, ...talk },
    messenger: createTelegramMessenger(api),
    leaseMs,
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
          url: `${at}${own?.path ?? webhookPath(key)}`,
          ...(own && { own }),
        });
  return serviceGroup(`${name} of ${workspaceId}`, [dialogs, hearing, createCommandMenu(commands, api, log)]);
}
