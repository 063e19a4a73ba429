import { fetchLoopback, type TwinContext } from "../shared/index.ts";
import { notifications as rules } from "./limits.ts";
import type { Notice, NoticeEvent, Shop } from "./model.ts";
import type { Store } from "./store.ts";

/**
 * Notifies shops about payments and refunds. Only HTTP 200 confirms a notification; otherwise it is repeated with
 * growing pauses for a day. Nothing is signed.
 */
export interface Notifications {
  tell(shopId: string, event: NoticeEvent, objectId: string, object: unknown): void;
  /** Sends what is due by the clock, or with `all` everything that waits, one after another; returns each result. */
  run(which: { all: boolean; newestFirst: boolean }): Promise<Sent[]>;
  stop(): Promise<void>;
}

export interface Sent {
  readonly event: NoticeEvent;
  readonly object_id: string;
  readonly status: number | null;
}

interface Deps {
  readonly context: Pick<TwinContext, "stopping" | "journal">;
  readonly store: Store;
}

export function createNotifications({ context, store }: Deps): Notifications {
  const { stopping } = context;
  const { world } = store;
  const underWay = new Map<number, Promise<Sent | undefined>>();
  let timer: NodeJS.Timeout | undefined;

  function start(notice: Notice): Promise<Sent | undefined> {
    const known = underWay.get(notice.id);
    if (known) return known;
    const carried = carry(notice).finally(() => {
      underWay.delete(notice.id);
      plan();
    });
    underWay.set(notice.id, carried);
    return carried;
  }

  async function carry(notice: Notice): Promise<Sent | undefined> {
    const shop = store.shop(notice.shopId);
    if (!shop?.notificationUrl) {
      drop(notice);
      return undefined;
    }
    const status = await post(shop, shop.notificationUrl, notice, stopping);
    // A stop of the twins is not a failure: the notification waits for the next start.
    if (stopping.aborted) return undefined;
    context.journal.add({
      provider: "yookassa",
      method: "notification",
      bot: shop.id,
      chat: notice.objectId,
      request: { source: shop.source, body: notice.body },
      status: status ?? "dropped",
      response: null,
    });
    settle(notice, status);
    return { event: notice.event, object_id: notice.objectId, status: status ?? null };
  }

  function settle(notice: Notice, status: number | undefined): void {
    const now = store.now();
    if (status === 200 || now - notice.at >= rules.forMs) {
      drop(notice);
      return;
    }
    const pause = rules.pausesMs[Math.min(notice.failures, rules.pausesMs.length - 1)] ?? 0;
    notice.failures += 1;
    notice.dueAt = now + pause;
    store.changed();
  }

  function drop(notice: Notice): void {
    world.notices = world.notices.filter(({ id }) => id !== notice.id);
    store.changed();
  }

  /** One after another, so that a test decides the order of arrival. */
  async function run({ all, newestFirst }: { all: boolean; newestFirst: boolean }): Promise<Sent[]> {
    const now = store.now();
    const waiting = world.notices.filter(({ dueAt }) => all || (!world.held && dueAt <= now));
    const sent = [];
    for (const notice of newestFirst ? waiting.reverse() : waiting) {
      const each = await start(notice);
      if (each) sent.push(each);
    }
    plan();
    return sent;
  }

  function plan(): void {
    clearTimeout(timer);
    if (stopping.aborted || world.held) return;
    const due = world.notices.filter(({ id }) => !underWay.has(id)).map(({ dueAt }) => dueAt);
    if (due.length === 0) return;
    // With a stopped test clock a moment may stay due for ever; one second prevents a busy loop.
    const wait = Math.max(1_000, Math.min(...due) - store.now());
    timer = setTimeout(() => void run({ all: false, newestFirst: false }), wait);
    timer.unref();
  }

  plan();
  return {
    tell(shopId, event, objectId, object) {
      const shop = store.shop(shopId);
      if (!shop?.notificationUrl || !shop.events.includes(event)) return;
      const at = store.now();
      for (let copy = 0; copy <= world.duplicates; copy += 1) {
        const body = { type: "notification", event, object };
        const notice = { id: store.newNumber(), shopId, event, objectId, body, at, failures: 0, dueAt: at };
        world.notices.push(notice);
        if (!world.held) void start(notice);
      }
      store.changed();
    },
    run,
    async stop() {
      clearTimeout(timer);
      await Promise.all(underWay.values());
    },
  };
}

/** The status of the answer, or undefined if none came in time. */
async function post(
  { source }: Shop,
  url: string,
  { body }: Notice,
  stopping: AbortSignal,
): Promise<number | undefined> {
  try {
    const response = await fetchLoopback(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "user-agent": "AHC/2.1",
        // Replaces the proxy in front of the receiver, which reports the sender's address.
        ...(source !== null && { "x-forwarded-for": source }),
      },
      body: JSON.stringify(body),
      signal: AbortSignal.any([stopping, AbortSignal.timeout(rules.answerWithinMs)]),
    });
    await response.body?.cancel();
    return response.status;
  } catch {
    // Refused, reset, too slow: all are the same failure for the sender.
    return undefined;
  }
}
