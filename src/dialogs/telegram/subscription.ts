import { sha256Hex } from "../../kernel/crypto/index.ts";
import type { Log } from "../../kernel/log/index.ts";
import { createLoop, type Service } from "../../kernel/service/index.ts";
import type { BotKey } from "../engine/dialogue.ts";
import type { TelegramApi } from "./client.ts";
import { wantedUpdates } from "./update.ts";

export interface SubscriptionSettings {
  readonly api: TelegramApi;
  readonly log: Log;
  readonly key: BotKey;
  readonly url: string;
  readonly everyMs?: number | undefined;
}

const rests = { everyMs: 10 * 60_000, afterFailureMs: 30_000, sameTokenMs: 15_000 } as const;

/** Made of the token, so that every process knows it, nobody has to keep it, and it changes when the token does. */
export function secretOf(token: string, { workspaceId, bot }: BotKey): string {
  return sha256Hex(`telegram webhook ${workspaceId} ${bot} ${token}`);
}

/** Sees to it that Telegram brings a bot's updates to this address, also after somebody else has used the token. */
export function createSubscription({
  api,
  log,
  key,
  url,
  everyMs = rests.everyMs,
}: SubscriptionSettings): Service {
  /** Telegram does not tell which secret it has, so the first look always subscribes. */
  let secretThere: string | undefined;
  let lookAt = 0;
  const loop = createLoop(async () => {
    const reason = await lookIfNeeded().catch((error: unknown) =>
      error instanceof Error ? error.message : String(error),
    );
    if (reason === undefined) return Math.min(everyMs, rests.sameTokenMs);
    lookAt = 0;
    log.warn({ reason }, "Telegram could not be told where to bring updates");
    return Math.min(everyMs, rests.afterFailureMs);
  });

  async function lookIfNeeded(): Promise<string | undefined> {
    // Another token makes another secret: until Telegram has it, everything it brings is refused.
    if (performance.now() < lookAt && (await secretNow()) === secretThere) return undefined;
    lookAt = performance.now() + everyMs;
    return look();
  }

  async function secretNow(): Promise<string | undefined> {
    const token = await api.settings.token();
    return token === undefined ? undefined : secretOf(token, key);
  }

  /** Why it failed. */
  async function look(): Promise<string | undefined> {
    const secret = await secretNow();
    if (secret === undefined) return "the bot has no token";
    const info = await api.call((telegram) => telegram.getWebhookInfo());
    if (info.kind !== "ok") return info.kind === "refused" ? info.description : info.reason;
    const { allowed_updates: allowed = [], last_error_message: trouble } = info.result;
    if (trouble !== undefined) log.warn({ reason: trouble }, "Telegram had trouble bringing updates");
    const stands = info.result.url === url && wantedUpdates.every((kind) => allowed.includes(kind));
    if (stands && secretThere === secret) return undefined;
    const set = await api.call((telegram) =>
      telegram.setWebhook(url, { secret_token: secret, allowed_updates: wantedUpdates }),
    );
    if (set.kind !== "ok") return set.kind === "refused" ? set.description : set.reason;
    secretThere = secret;
    log.info({ url }, "Telegram brings updates here");
    return undefined;
  }

  return { name: "telegram webhook", start: async () => loop.start(), stop: () => loop.stop() };
}
