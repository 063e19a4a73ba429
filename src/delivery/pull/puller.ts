import type { Service } from "../../kernel/service/index.ts";
import { createWorker, idle, msUntil } from "../../kernel/worker/index.ts";
import { leaseDueSources, nextPullAt } from "./ledger.ts";
import { type PullDeps, pull } from "./pull.ts";
import type { LeasedSource } from "./source.ts";

export interface PullerDeps extends PullDeps {
  /** How many sources this process asks at once; two at least, or one workspace would have the only place. */
  readonly concurrency: number;
}

/** How soon it looks again at a source that is due and that another process has just taken. */
const lookAgainMs = 1;

/**
 * Asks every source when its time comes. Each run is on its own: a source that fails or hangs takes one place of
 * `concurrency`, for a bounded time, and one workspace's sources never take all of them. Any number of processes may run
 * one; a lease keeps two from asking the same source. A stop breaks fetches off and finishes chunks; what was not read is due
 * again at the next start.
 */
export function createPuller(deps: PullerDeps): Service {
  const { sql, clock, log, concurrency } = deps;
  return createWorker<LeasedSource>({
    name: "puller",
    log,
    trouble: "the puller could not reach its sources",
    notices: { sql, channel: "molva_sources" },
    places: concurrency,
    async round({ jobs, free, begin }) {
      if (free === 0) return idle;
      const sources = await leaseDueSources(sql, { all: concurrency, taken: jobs }, clock.now());
      sources.forEach(begin);
      if (sources.length > 0) return 0;
      return msUntil(await nextPullAt(sql, { all: concurrency, taken: jobs }), clock, lookAgainMs);
    },
    async run(source, signal) {
      await pull(source, deps, signal);
    },
  });
}
