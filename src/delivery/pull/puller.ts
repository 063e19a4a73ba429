import { type Listener, listen } from "../../kernel/db/index.ts";
import { createStopController, type Service } from "../../kernel/service/index.ts";
import { createSignal } from "../dispatch/signal.ts";
import { leaseDueSources, nextPullAt } from "./ledger.ts";
import { type PullDeps, pull } from "./pull.ts";
import type { LeasedSource } from "./source.ts";

export interface PullerDeps extends PullDeps {
  /** How many sources this process asks at once; two at least, or one workspace would have the only place. */
  readonly concurrency: number;
}

/** How long the loop sleeps at most when nothing is due: a safety net under NOTIFY and the timer. */
const longestSleepMs = 15_000;
const afterFailureMs = 1_000;

/**
 * Asks every source when its time comes. Each run is on its own: a source that fails or hangs takes one place of
 * `concurrency`, for a bounded time, and one workspace's sources never take all of them. Any number of processes may run
 * one; a lease keeps two from asking the same source.
 */
export function createPuller(deps: PullerDeps): Service {
  const { sql, clock, log, concurrency } = deps;
  const wake = createSignal();
  const inHand = new Map<LeasedSource, Promise<void>>();
  let stopping = createStopController();
  let loop: Promise<void> | undefined;
  let listener: Listener | undefined;

  async function round(): Promise<boolean> {
    const sources = inHand.size < concurrency ? await leaseDueSources(sql, places(), clock.now()) : [];
    for (const source of sources) {
      const work = pull(source, deps, stopping.signal).then(() => {
        inHand.delete(source);
        wake.raise();
      });
      inHand.set(source, work);
    }
    return sources.length > 0;
  }

  const places = () => ({ all: concurrency, taken: [...inHand.keys()] });

  /** Until the next source is due; the end of a run in hand wakes earlier. */
  async function sleepMs(): Promise<number> {
    if (inHand.size >= concurrency) return longestSleepMs;
    const due = await nextPullAt(sql, places());
    return Math.min(Math.max((due?.getTime() ?? Infinity) - clock.now().getTime(), 1), longestSleepMs);
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        if (!(await round())) await wake.wait(await sleepMs());
      } catch (error) {
        if (stopping.signal.aborted) return;
        log.error({ err: error }, "the puller could not reach its sources");
        await wake.wait(afterFailureMs);
      }
    }
  }

  return {
    name: "puller",
    async start() {
      stopping = createStopController();
      listener = await listen(sql, "molva_sources", { onNotify: wake.raise, onReady: wake.raise });
      loop = run();
    },
    /** Fetches are broken off, chunks are finished; what was not read is due again at the next start. */
    async stop() {
      stopping.abort();
      wake.raise();
      await loop;
      await Promise.all(inHand.values());
      await listener?.close();
      listener = undefined;
    },
  };
}
