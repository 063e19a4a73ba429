import { fetchLoopback, type TwinContext } from "../shared/index.ts";
import { limits } from "./limits.ts";
import type { Bot, StoredUpdate, Webhook } from "./model.ts";
import type { Store } from "./store.ts";
import { updateFor } from "./updates.ts";

const requestTimeoutMs = 60_000;
const longestBackoffMs = 60_000;
const longestRetryAfterMs = 3_600_000;
const goneForMs = 23 * 3_600_000;

export interface WebhooksDeps {
  readonly context: TwinContext;
  readonly store: Store;
  /** Runs a call that a receiver put into its answer; the result is dropped. */
  run(bot: Bot, method: string, fields: Readonly<Record<string, unknown>>): Promise<void>;
}

export interface Webhooks {
  /** Delivers waiting updates now. Called for a new update and when a webhook is set. */
  wake(bot: Bot): void;
  stop(): Promise<void>;
}

/** Retries use real time, not the twin's clock: they work in a test that stops the clock. */
interface Waiting {
  attempts: number;
  notBefore: number;
}

export function createWebhooks({ context, store, run }: WebhooksDeps): Webhooks {
  const waiting = new WeakMap<StoredUpdate, Waiting>();
  const busyChats = new Set<string>();
  const deliveries = new Set<Promise<void>>();
  const timers = new Map<number, NodeJS.Timeout>();

  function wake(bot: Bot): void {
    const webhook = bot.webhook;
    clearTimeout(timers.get(bot.id));
    if (!webhook || context.stopping.aborted) return;
    dropOld(bot);
    const now = performance.now();
    let inFlight = [...busyChats].filter((key) => key.startsWith(`${bot.id}:`)).length;
    let nearest = Infinity;
    const held = new Set<number>();
    for (const update of bot.updates) {
      if (inFlight >= webhook.maxConnections) break;
      const key = `${bot.id}:${update.chatId}`;
      if (held.has(update.chatId) || busyChats.has(key)) continue;
      held.add(update.chatId);
      const due = waiting.get(update)?.notBefore ?? 0;
      if (due > now) {
        nearest = Math.min(nearest, due);
        continue;
      }
      inFlight += 1;
      busyChats.add(key);
      const delivery = deliver(bot, webhook, update).finally(() => {
        busyChats.delete(key);
        deliveries.delete(delivery);
        wake(bot);
      });
      deliveries.add(delivery);
    }
    if (nearest < Infinity)
      timers.set(
        bot.id,
        setTimeout(() => wake(bot), nearest - now),
      );
  }

  async function deliver(bot: Bot, webhook: Webhook, update: StoredUpdate): Promise<void> {
    const result = await post(webhook, updateFor(update), context.stopping);
    if (context.stopping.aborted || bot.webhook !== webhook) return;
    if (result.ok) {
      const index = bot.updates.indexOf(update);
      if (index >= 0) bot.updates.splice(index, 1);
      delete webhook.goneSince;
      store.changed();
      await runAnswer(bot, result.body);
      return;
    }
    const attempts = (waiting.get(update)?.attempts ?? 0) + 1;
    const delay = retryDelayMs(attempts, result.retryAfterSeconds);
    waiting.set(update, { attempts, notBefore: performance.now() + delay });
    webhook.lastErrorAt = context.clock.now();
    webhook.lastError = result.reason;
    forgetIfGone(bot, webhook, result.status);
    store.changed();
  }

  function forgetIfGone(bot: Bot, webhook: Webhook, status: number | undefined): void {
    if (status !== 410) {
      delete webhook.goneSince;
      return;
    }
    webhook.goneSince ??= context.clock.now();
    if (context.clock.now() - webhook.goneSince >= goneForMs) delete bot.webhook;
  }

  function dropOld(bot: Bot): void {
    const oldest = context.clock.now() - limits.updateLifetimeMs;
    if (bot.updates.some((update) => update.at <= oldest)) {
      bot.updates = bot.updates.filter((update) => update.at > oldest);
      store.changed();
    }
  }

  async function runAnswer(bot: Bot, body: string): Promise<void> {
    const call = methodCall(body);
    if (call) await run(bot, call.method, call.fields);
  }

  async function stop(): Promise<void> {
    for (const timer of timers.values()) clearTimeout(timer);
    await Promise.allSettled(deliveries);
  }

  return { wake, stop };
}

/** From one second, doubling; a receiver's own wait is used up to an hour. */
export function retryDelayMs(attempt: number, retryAfterSeconds?: number): number {
  if (retryAfterSeconds !== undefined) return Math.min(longestRetryAfterMs, retryAfterSeconds * 1_000);
  return Math.min(longestBackoffMs, 1_000 * 2 ** (attempt - 1));
}

type PostResult =
  | { readonly ok: true; readonly body: string }
  | {
      readonly ok: false;
      readonly reason: string;
      readonly status?: number;
      readonly retryAfterSeconds?: number;
    };

async function post(webhook: Webhook, update: unknown, stopping: AbortSignal): Promise<PostResult> {
  try {
    const response = await fetchLoopback(webhook.url, {
      method: "POST",
      signal: AbortSignal.any([stopping, AbortSignal.timeout(requestTimeoutMs)]),
      headers: {
        "content-type": "application/json",
        ...(webhook.secret !== undefined && { "x-telegram-bot-api-secret-token": webhook.secret }),
      },
      body: JSON.stringify(update),
    });
    const body = await response.text();
    if (response.ok) return { ok: true, body };
    const retryAfter = Number(response.headers.get("retry-after") ?? Number.NaN);
    return {
      ok: false,
      status: response.status,
      reason: `Wrong response from the webhook: ${response.status} ${response.statusText}`,
      ...(retryAfter >= 0 && { retryAfterSeconds: retryAfter }),
    };
  } catch (error) {
    const timedOut = error instanceof Error && error.name === "TimeoutError";
    return { ok: false, reason: timedOut ? "Read timeout expired" : "Connection refused" };
  }
}

/** An answer that is itself a call. Reading methods and anything else are ignored. */
function methodCall(body: string): { method: string; fields: Record<string, unknown> } | undefined {
  try {
    const parsed: unknown = JSON.parse(body);
    if (typeof parsed !== "object" || parsed === null || !("method" in parsed)) return undefined;
    const { method, ...fields } = parsed;
    return typeof method === "string" && !/^get/i.test(method) ? { method, fields } : undefined;
  } catch {
    return undefined;
  }
}
