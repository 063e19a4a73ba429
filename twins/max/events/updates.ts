import type { TwinContext } from "../../shared/index.ts";
import { updatesKept } from "../limits.ts";
import type { Bot, Chat, Update, UpdateType } from "../model.ts";
import type { Store } from "../store.ts";
import type { Webhooks } from "./webhooks.ts";

/** Sends updates to bots: through their webhooks, or by a queue they poll. */
export interface Updates {
  tell(bot: Bot, type: UpdateType, fields: Record<string, unknown>): void;
  /** Tells every bot of the chat; in groups and channels only administrators receive events. */
  tellChat(chat: Chat, type: UpdateType, fields: Record<string, unknown>): void;
  /** Resolves when the bot's queue or subscriptions have changed, or when the signal is aborted. */
  nextChange(bot: Bot, signal: AbortSignal): Promise<void>;
  /** Call when subscriptions change: a poll in progress must end. */
  wake(bot: Bot): void;
}

interface UpdatesDeps {
  readonly context: Pick<TwinContext, "clock">;
  readonly store: Store;
  readonly webhooks: Webhooks;
}

export function createUpdates({ context, store, webhooks }: UpdatesDeps): Updates {
  const waiting = new Map<number, Set<() => void>>();

  function wake(bot: Bot): void {
    const wakers = waiting.get(bot.user.user_id);
    waiting.delete(bot.user.user_id);
    for (const resolve of wakers ?? []) resolve();
  }

  function deliver(bot: Bot, update: Update): void {
    if (bot.subscriptions.length === 0) enqueue(bot, update);
    for (const subscription of bot.subscriptions) {
      const wanted = subscription.update_types?.includes(update.update_type) ?? true;
      if (wanted) webhooks.send(bot, subscription, update);
    }
    store.changed();
  }

  function enqueue(bot: Bot, update: Update): void {
    bot.updates.push({ marker: bot.nextMarker, update });
    bot.nextMarker += 1;
    if (bot.updates.length > updatesKept) bot.updates.shift();
    wake(bot);
  }

  function tell(bot: Bot, type: UpdateType, fields: Record<string, unknown>): void {
    // An update is a copy, so that later changes of people and messages do not alter it.
    const update = structuredClone({ update_type: type, timestamp: context.clock.now(), ...fields });
    deliver(bot, update);
    const { options } = store.world;
    if (options.duplicate_updates === 0) return;
    options.duplicate_updates -= 1;
    deliver(bot, update);
  }

  return {
    tell,
    tellChat(chat, type, fields) {
      for (const member of chat.members) {
        const hears = member.status === "active" && (chat.type === "dialog" || member.is_admin);
        const bot = hears ? store.botById(member.botId) : undefined;
        if (bot) tell(bot, type, fields);
      }
    },
    nextChange: (bot, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve();
        const wakers = waiting.get(bot.user.user_id) ?? new Set();
        waiting.set(bot.user.user_id, wakers);
        const done = () => {
          signal.removeEventListener("abort", done);
          wakers.delete(done);
          resolve();
        };
        wakers.add(done);
        signal.addEventListener("abort", done);
      }),
    wake,
  };
}
