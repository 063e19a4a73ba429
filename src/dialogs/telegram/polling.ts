/** Asks Telegram for updates, for machines that Telegram cannot reach. */
import type { Log } from "../../kernel/log/index.ts";
import { createLoop, type Service } from "../../kernel/service/index.ts";
import type { Update } from "../messenger.ts";
import type { TelegramApi } from "./client.ts";
import { readTelegramUpdate, wantedUpdates } from "./update.ts";

export interface PollingSettings {
  readonly api: TelegramApi;
  readonly log: Log;
  readonly receive: (updates: readonly Update[]) => Promise<void>;
  /** How long Telegram holds a question when there is nothing; below the client's own time limit. */
  readonly holdSeconds?: number;
}

const afterFaultMs = 3_000;

/** Telegram forgets a batch only when the next is asked for, which is after it is stored: none is lost. */
export function createTelegramPolling({ api, log, receive, holdSeconds = 20 }: PollingSettings): Service {
  let offset = 0;
  let asking = new AbortController();
  const loop = createLoop(async () => {
    const { signal } = asking;
    try {
      const answer = await api.call(
        (telegram) => telegram.getUpdates({ offset, timeout: holdSeconds, allowed_updates: wantedUpdates }),
        signal,
      );
      if (signal.aborted) return 0;
      if (answer.kind === "ok") {
        await receive(answer.result.flatMap((update) => readTelegramUpdate(update) ?? []));
        offset = Math.max(offset, ...answer.result.map(({ update_id }) => update_id + 1));
        return 0;
      }
      const reason = answer.kind === "refused" ? answer.description : answer.reason;
      log.warn({ reason }, "no updates from Telegram");
      return (answer.kind === "refused" && answer.retryAfterMs) || afterFaultMs;
    } catch (error) {
      log.error({ err: error }, "updates of Telegram could not be stored");
      return afterFaultMs;
    }
  });
  return {
    name: "telegram polling",
    async start() {
      asking = new AbortController();
      loop.start();
    },
    async stop() {
      asking.abort();
      await loop.stop();
    },
  };
}
