/** Polls Telegram for updates, for machines that Telegram cannot reach. */
import { randomUUID } from "node:crypto";
import type { KeyValue } from "../../kernel/kv/index.ts";
import type { Log } from "../../kernel/log/index.ts";
import type { Service } from "../../kernel/service/index.ts";
import { createWorker, type Hand } from "../../kernel/worker/index.ts";
import type { Update } from "../messenger.ts";
import type { Answer, TelegramApi } from "./client.ts";
import { readTelegramUpdate, wantedUpdates } from "./update.ts";

export interface PollingSettings {
  readonly api: TelegramApi;
  readonly log: Log;
  readonly receive: (updates: readonly Update[]) => Promise<void>;
  /** Receives the same updates first, for those outside dialogs. */
  readonly aside?: ((raws: readonly unknown[]) => Promise<void>) | undefined;
  /** The timeout of long polling; below the client's own timeout. */
  readonly holdSeconds?: number;
  /** Telegram allows one poller: of several processes, the one that holds this key polls. */
  readonly turn?: { readonly keyValue: KeyValue; readonly key: string };
}

const rests = { afterFaultMs: 3_000, notMyTurnMs: 1_000 } as const;
/** A poll may take longer: meanwhile the turn is renewed. When a process is gone, another soon polls. */
const turn = { lastsMs: 4_000, renewedMs: 1_300 } as const;

/** Telegram deletes a batch only when the next is requested, which is after it is stored: none is lost. */
export function createTelegramPolling(settings: PollingSettings): Service {
  const { api, log, receive, aside, holdSeconds = 20, turn: mine } = settings;
  const me = randomUUID();
  let offset = 0;
  let renewedAt = Number.NEGATIVE_INFINITY;

  async function round({ signal }: Hand<never>): Promise<number> {
    if (!(await isMyTurn())) return rests.notMyTurnMs;
    const answer = await keepingTurn(() =>
      api.call(
        (telegram) => telegram.getUpdates({ offset, timeout: holdSeconds, allowed_updates: wantedUpdates }),
        signal,
      ),
    );
    if (signal.aborted) return 0;
    if (answer.kind !== "ok") return await afterRefusal(answer);
    await aside?.(answer.result);
    await receive(answer.result.flatMap((update) => readTelegramUpdate(update) ?? []));
    offset = Math.max(offset, ...answer.result.map(({ update_id }) => update_id + 1));
    return 0;
  }

  /** Renewed only so often: under load one poll follows the other. */
  async function isMyTurn(): Promise<boolean> {
    if (!mine || performance.now() - renewedAt < turn.renewedMs) return true;
    const asked = performance.now();
    const isMine =
      (await mine.keyValue.setIfAbsent(mine.key, me, { ttlMs: turn.lastsMs })) ||
      ((await mine.keyValue.get(mine.key)) === me && (await mine.keyValue.expire(mine.key, turn.lastsMs)));
    renewedAt = isMine ? asked : Number.NEGATIVE_INFINITY;
    return isMine;
  }

  async function keepingTurn<Result>(poll: () => Promise<Result>): Promise<Result> {
    if (!mine) return poll();
    const beat = setInterval(() => {
      isMyTurn().catch((error: unknown) => log.warn({ err: error }, "the turn to poll could not be renewed"));
    }, turn.renewedMs);
    try {
      return await poll();
    } finally {
      clearInterval(beat);
    }
  }

  async function afterRefusal(answer: Exclude<Answer<unknown>, { kind: "ok" }>): Promise<number> {
    if (answer.kind === "refused" && answer.description.includes("webhook is active")) {
      const removed = await api.call((telegram) => telegram.deleteWebhook());
      if (removed.kind === "ok") log.info("a webhook was taken away, because updates are asked for");
      return removed.kind === "ok" ? 0 : rests.afterFaultMs;
    }
    const reason = answer.kind === "refused" ? answer.description : answer.reason;
    log.warn({ reason }, "no updates from Telegram");
    return (answer.kind === "refused" && answer.retryAfterMs) || rests.afterFaultMs;
  }

  const worker = createWorker({
    name: "telegram polling",
    log,
    trouble: "updates of Telegram could not be stored",
    // A wait that Telegram demands is never shortened.
    safetyNetMs: Number.POSITIVE_INFINITY,
    round,
  });
  return {
    name: worker.name,
    start: worker.start,
    async stop() {
      await worker.stop();
      if (mine && (await mine.keyValue.get(mine.key)) === me) await mine.keyValue.delete(mine.key);
    },
  };
}
