import type { Service } from "../../kernel/service/index.ts";
import { createWorker, idle, msUntil } from "../../kernel/worker/index.ts";
import { leaseDueSources, nextPullAt } from "./ledger.ts";
import { type PullDeps, pull } from "./pull.ts";
import type { LeasedSource } from "./source.ts";

export interface PullerDeps extends PullDeps {
  /** How many sources this process reads at once; at least two, or one workspace could take the only place. */
  readonly concurrency: number;
}

/** How soon it looks again for a due source that another process has just taken. */
const lookAgainMs = 1;

/**
 * Reads every source when it is due. Runs are independent: a source that fails or hangs takes one of the `concurrency` places
 * for a limited time, and the sources of one workspace never take all of them. Any number of processes may run a puller; a
 * lease prevents two of them from reading the same source. A stop aborts fetches and completes chunks; unread sources are due
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
