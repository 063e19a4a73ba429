import { sha256Hex } from "../../kernel/crypto/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import type { Log } from "../../kernel/log/index.ts";
import type { Service } from "../../kernel/service/index.ts";
import { createWorker } from "../../kernel/worker/index.ts";
import type { BotKey } from "../engine/dialogue.ts";
import type { TelegramApi } from "./client.ts";
import { wantedUpdates } from "./update.ts";

export interface SubscriptionSettings {
  readonly sql: Sql;
  readonly api: TelegramApi;
  readonly log: Log;
  readonly key: BotKey;
  readonly url: string;
  /** In place of the secret that is made from the token, and of all updates. */
  readonly own?: { readonly secret: string; readonly updates: typeof wantedUpdates };
  readonly everyMs?: number | undefined;
}

const rests = { everyMs: 10 * 60_000, afterFailureMs: 30_000 } as const;

/** Derived from the token, so that every process knows it, nobody has to store it, and it changes with the token. */
export function secretOf(token: string, { workspaceId, bot }: BotKey): string {
  return sha256Hex(`telegram webhook ${workspaceId} ${bot} ${token}`);
}

/** Keeps a bot's webhook set to this address, also after another program has used the token. */
export function createSubscription({
  sql,
  api,
  log,
  key,
  url,
  own,
  everyMs = rests.everyMs,
}: SubscriptionSettings): Service {
  const updates = own?.updates ?? wantedUpdates;
  /** Telegram does not return the secret it has, so the first check always sets the webhook. */
  let secretThere: string | undefined;

  async function secretNow(): Promise<string | undefined> {
    const token = await api.settings.token();
    return token === undefined ? undefined : (own?.secret ?? secretOf(token, key));
  }

  /** Returns why it failed. */
  async function look(): Promise<string | undefined> {
    const secret = await secretNow();
    if (secret === undefined) return "the bot has no token";
    const info = await api.call((telegram) => telegram.getWebhookInfo());
    if (info.kind !== "ok") return info.kind === "refused" ? info.description : info.reason;
    const { allowed_updates: allowed = [], last_error_message: trouble } = info.result;
    if (trouble !== undefined) log.warn({ reason: trouble }, "Telegram had trouble bringing updates");
    const isCurrent = info.result.url === url && updates.every((kind) => allowed.includes(kind));
    if (isCurrent && secretThere === secret) return undefined;
    const set = await api.call((telegram) =>
      telegram.setWebhook(url, { secret_token: secret, allowed_updates: updates }),
    );
    if (set.kind !== "ok") return set.kind === "refused" ? set.description : set.reason;
    secretThere = secret;
    log.info({ url }, "Telegram brings updates here");
    return undefined;
  }

  return createWorker({
    name: "telegram webhook",
    log,
    trouble: "a webhook of Telegram could not be looked after",
    // A new token means a new secret: until Telegram has it, all its updates are refused.
    notices: {
      sql,
      channel: "molva_credentials",
      heard: (credential) => credential === `${key.workspaceId}/telegram/${key.bot}`,
    },
    safetyNetMs: everyMs,
    async round() {
      const reason = await look();
      if (reason === undefined) return everyMs;
      log.warn({ reason }, "Telegram could not be told where to bring updates");
      return rests.afterFailureMs;
    },
  });
}
