import type { Clock } from "../../kernel/clock/index.ts";
import type { HttpClient } from "../../kernel/outbound/index.ts";
import type { MediaSource } from "../../platforms/index.ts";
import { Interrupted } from "./interrupted.ts";

/** Half of the lease is for what comes before a request, half for the request itself. */
const partOfLease = 1 / 2;

/**
 * Keeps an attempt within its lease. After it another process may have the delivery, look it up, not find it, and send it: so a
 * request must not begin late because its pictures took long, and must not take longer than what is left of the lease.
 */
export interface LeaseHold {
  /** Asks for a turn, which renews the lease. */
  renewing(turn: () => Promise<void>): Promise<void>;
  http(client: HttpClient): HttpClient;
  media(source: MediaSource): MediaSource;
}

/** Without a lease nothing is limited: the caller has its own. */
export function holdLease(departsAt: Date, clock: Clock, leaseMs = Number.POSITIVE_INFINITY): LeaseHold {
  const longestMs = leaseMs * partOfLease;
  let since = departsAt.getTime();
  return {
    async renewing(turn) {
      await turn();
      since = clock.now().getTime();
    },
    http: (client) => ({
      request: (request) =>
        client.request((request.timeoutMs ?? 0) > longestMs ? { ...request, timeoutMs: longestMs } : request),
    }),
    media: (source) => ({
      ...source,
      lend: (media, order, use) =>
        source.lend(media, order, async (files) => {
          if (clock.now().getTime() - since > longestMs)
            throw new Interrupted("its files took too long; they are kept for the next attempt");
          return use(files);
        }),
    }),
  };
}
