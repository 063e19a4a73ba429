import { fetchLoopback, type TwinContext } from "../../shared/index.ts";
import { webhooks as rules } from "../limits.ts";
import { type Bot, type Notice, nameOfBot, type Subscription, type Update } from "../model.ts";
import type { Store } from "../store.ts";

/**
 * Sends updates to webhooks. Only HTTP 200 confirms one; otherwise it is retried with growing pauses, and a
 * subscription that fails for eight hours is cancelled.
 */
export interface Webhooks {
  send(bot: Bot, subscription: Subscription, update: Update): void;
  /** Sends what is due by the clock, or with `force` everything that waits; resolves when all have answered. */
  run(force: boolean): Promise<void>;
  /** Drops what waits for a webhook that is no longer subscribed. */
  forget(bot: Bot, url: string): void;
  stop(): Promise<void>;
}

export function createWebhooks({
  context,
  store,
}: {
  context: Pick<TwinContext, "clock" | "stopping" | "journal" | "log">;
  store: Store;
}): Webhooks {
  const { clock, stopping } = context;
  const underWay = new Map<number, Promise<void>>();
  let timer: NodeJS.Timeout | undefined;

  function start(notice: Notice): Promise<void> {
    const known = underWay.get(notice.id);
    if (known) return known;
    const carried = carry(notice).finally(() => {
      underWay.delete(notice.id);
      plan();
    });
    underWay.set(notice.id, carried);
    return carried;
  }

  async function carry(notice: Notice): Promise<void> {
    const found = subscriptionOf(store, notice);
    if (!found) return drop(notice);
    const { bot, subscription } = found;
    const status = await post(notice, subscription, stopping);
    // A stop of the twins is not a failure: the update waits for the next start.
    if (stopping.aborted) return;
    context.journal.add({
      provider: "max",
      method: "webhook",
      ...nameOfBot(bot),
      request: notice.update,
      status: status ?? "dropped",
      response: null,
    });
    if (status === 200) {
      delete subscription.failingSince;
      return drop(notice);
    }
    const now = clock.now();
    subscription.failingSince ??= now;
    notice.failures += 1;
    if (notice.failures > rules.retries) return drop(notice);
    notice.dueAt = now + rules.firstRetryMs * rules.retryFactor ** (notice.failures - 1);
    store.changed();
  }

  function drop(notice: Notice): void {
    store.world.notices = store.world.notices.filter(({ id }) => id !== notice.id);
    store.changed();
  }

  function unsubscribeDead(): void {
    for (const bot of store.world.bots) {
      for (const { url, failingSince } of bot.subscriptions) {
        if (failingSince === undefined || clock.now() - failingSince < rules.unsubscribeAfterMs) continue;
        bot.subscriptions = bot.subscriptions.filter((each) => each.url !== url);
        forget(bot, url);
        context.log.warn(
          { bot: bot.user.username, url },
          "webhook unsubscribed: eight hours without success",
        );
      }
    }
  }

  async function run(force: boolean): Promise<void> {
    unsubscribeDead();
    const now = clock.now();
    await Promise.all(store.world.notices.filter(({ dueAt }) => force || dueAt <= now).map(start));
    plan();
  }

  /** One timer for whatever comes first: a retry, or the end of a failing subscription's eight hours. */
  function plan(): void {
    clearTimeout(timer);
    if (stopping.aborted) return;
    const retries = store.world.notices.filter(({ id }) => !underWay.has(id)).map(({ dueAt }) => dueAt);
    const ends = store.world.bots
      .flatMap(({ subscriptions }) => subscriptions)
      .flatMap(({ failingSince }) =>
        failingSince === undefined ? [] : failingSince + rules.unsubscribeAfterMs,
      );
    const next = [...retries, ...ends].reduce((first, at) => Math.min(first, at), Number.POSITIVE_INFINITY);
    if (next === Number.POSITIVE_INFINITY) return;
    // With a stopped test clock a moment may stay due for ever; one second prevents a busy loop.
    timer = setTimeout(() => void run(false), Math.max(1_000, next - clock.now()));
    timer.unref();
  }

  function forget(bot: Bot, url: string): void {
    const isGone = (notice: Notice) => notice.botId === bot.user.user_id && notice.url === url;
    store.world.notices = store.world.notices.filter((notice) => !isGone(notice));
    store.changed();
  }

  plan();
  return {
    send(bot, { url }, update) {
      const id = store.newId();
      const notice = { id, botId: bot.user.user_id, url, update, failures: 0, dueAt: clock.now() };
      store.world.notices.push(notice);
      void start(notice);
    },
    run,
    forget,
    async stop() {
      clearTimeout(timer);
      await Promise.all(underWay.values());
    },
  };
}

function subscriptionOf(store: Store, { botId, url }: Notice) {
  const bot = store.botById(botId);
  const subscription = bot?.subscriptions.find((each) => each.url === url);
  return bot && subscription ? { bot, subscription } : undefined;
}

/** The status of the answer, or undefined if none came in time. */
async function post(
  { url, update }: Notice,
  { secret }: Subscription,
  stopping: AbortSignal,
): Promise<number | undefined> {
  try {
    const response = await fetchLoopback(url, {
      method: "POST",
      headers: {
        "content-type": "application/json; charset=utf-8",
        ...(secret !== undefined && { "x-max-bot-api-secret": secret }),
      },
      body: JSON.stringify(update),
      signal: AbortSignal.any([stopping, AbortSignal.timeout(rules.answerWithinMs)]),
    });
    await response.body?.cancel();
    return response.status;
  } catch {
    // Refused, reset, an untrusted certificate, too slow: all are the same failure for the sender.
    return undefined;
  }
}
