/** Asks Telegram for updates, for machines that Telegram cannot reach. */
import { type Api, GrammyError } from "grammy";
import type { Log } from "../../kernel/log/index.ts";
import { createLoop, type Service } from "../../kernel/service/index.ts";
import type { Update } from "../messenger.ts";
import { readTelegramUpdate, wantedUpdates } from "./update.ts";

export interface PollingSettings {
  readonly api: Api;
  readonly log: Log;
  readonly receive: (updates: readonly Update[]) => Promise<void>;
  /** How long Telegram holds a question when there is nothing; below the client's own time limit. */
  readonly holdSeconds?: number;
}

const afterFaultMs = 3_000;

/** Telegram forgets a batch only when the next is asked for, which is after it is stored: none is lost. */
export function createTelegramPolling({ api, log, receive, holdSeconds = 20 }: PollingSettings): Service {
  let offset = 0;
  let stopped = false;
  // One for each question: the client never takes its ears off a signal.
  let asking = new AbortController();
  const loop = createLoop(async () => {
    try {
      asking = new AbortController();
      const { signal } = asking;
      const batch = await api.getUpdates(
        { offset, timeout: holdSeconds, allowed_updates: [...wantedUpdates] },
        // grammY wants the signal of a polyfill, which differs from Node's in types only.
        signal as Parameters<Api["getUpdates"]>[1],
      );
      await receive(batch.flatMap((update) => readTelegramUpdate(update) ?? []));
      offset = Math.max(offset, ...batch.map(({ update_id }) => update_id + 1));
      return 0;
    } catch (error) {
      if (stopped) return afterFaultMs;
      const wait = error instanceof GrammyError ? error.parameters.retry_after : undefined;
      log.warn(
        { reason: error instanceof Error ? error.message : String(error) },
        "no updates from Telegram",
      );
      return wait === undefined ? afterFaultMs : wait * 1_000;
    }
  });
  return {
    name: "telegram polling",
    async start() {
      stopped = false;
      loop.start();
    },
    async stop() {
      stopped = true;
      asking.abort();
      await loop.stop();
    },
  };
}
