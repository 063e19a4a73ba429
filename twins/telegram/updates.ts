import type { TwinContext } from "../shared/index.ts";
import { conflict } from "./api-error.ts";
import { limits } from "./limits.ts";
import type { Bot, StoredUpdate } from "./model.ts";
import type { Store } from "./store.ts";

/** Updates on their way to a bot. */
export interface Updates {
  /** `copies` above one repeats the update with the same id, as the provider sometimes does. */
  push(bot: Bot, update: NewUpdate, copies?: number): void;
  /** Long polling: an offset confirms everything below it. */
  poll(bot: Bot, request: PollRequest): Promise<StoredUpdate[]>;
  /** Calls `listener` whenever a bot has something new to receive. */
  onPush(listener: (bot: Bot) => void): void;
}

export interface NewUpdate {
  readonly kind: string;
  readonly chatId: number;
  readonly content: unknown;
}

export interface PollRequest {
  readonly offset: number;
  readonly limit: number;
  readonly timeoutMs: number;
  /** The client has left. */
  readonly left: AbortSignal;
}

/** Sent only to bots that request them by name. */
const onRequestOnly = new Set(["chat_member", "message_reaction", "message_reaction_count"]);

interface Poller {
  terminate(): void;
  wake(): void;
}

export function createUpdates(store: Store, context: TwinContext): Updates {
  const pollers = new Map<number, Poller>();
  const listeners: ((bot: Bot) => void)[] = [];

  function push(bot: Bot, { kind, chatId, content }: NewUpdate, copies = 1): void {
    if (!isWanted(bot, kind)) return;
    const update = { id: store.nextUpdateId(), at: context.clock.now(), kind, chatId, content };
    for (let copy = 0; copy < copies; copy += 1) bot.updates.push(update);
    store.changed();
    pollers.get(bot.id)?.wake();
    for (const listener of listeners) listener(bot);
  }

  async function poll(bot: Bot, { offset, limit, timeoutMs, left }: PollRequest): Promise<StoredUpdate[]> {
    pollers.get(bot.id)?.terminate();
    confirm(bot, offset);
    if (bot.updates.length === 0 && timeoutMs > 0) await somethingNew(bot, timeoutMs, left);
    return bot.updates.slice(0, limit);
  }

  function confirm(bot: Bot, offset: number): void {
    const oldest = context.clock.now() - limits.updateLifetimeMs;
    const before = bot.updates.length;
    bot.updates = bot.updates.filter((update) => update.at > oldest);
    if (offset > 0) bot.updates = bot.updates.filter((update) => update.id >= offset);
    if (offset < 0) bot.updates = bot.updates.slice(offset);
    if (bot.updates.length !== before) store.changed();
  }

  /**
   * Ends when there is an update, on timeout, or when the client leaves or the twins stop; a second poller ends it with
   * an error.
   */
  function somethingNew(bot: Bot, timeoutMs: number, left: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const finish = (settle: () => void) => {
        clearTimeout(timer);
        if (pollers.get(bot.id) === poller) pollers.delete(bot.id);
        settle();
      };
      const wake = () => finish(resolve);
      const poller: Poller = {
        wake,
        terminate: () =>
          finish(() =>
            reject(
              conflict(
                "terminated by other getUpdates request; make sure that only one bot instance is running",
              ),
            ),
          ),
      };
      const timer = setTimeout(wake, timeoutMs);
      pollers.set(bot.id, poller);
      for (const signal of [left, context.stopping]) {
        if (signal.aborted) wake();
        else signal.addEventListener("abort", wake, { once: true });
      }
    });
  }

  return { push, poll, onPush: (listener) => void listeners.push(listener) };
}

function isWanted(bot: Bot, kind: string): boolean {
  const wanted = bot.allowedUpdates ?? [];
  return wanted.length > 0 ? wanted.includes(kind) : !onRequestOnly.has(kind);
}

/** The envelope in which an update travels. */
export function updateFor({ id, kind, content }: StoredUpdate): Record<string, unknown> {
  return { update_id: id, [kind]: content };
}
