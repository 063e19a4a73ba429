import { setTimeout as delay } from "node:timers/promises";
import type { Clock } from "../../kernel/clock/index.ts";
import type { StartedDelivery } from "./started-delivery.ts";

/** Waits for the instant at which a delivery's first request may leave; what it gives back is told when the answer came. */
export type Departure = (
  delivery: Pick<StartedDelivery, "channel_id" | "departs_at" | "gap_ms">,
) => Promise<() => void>;

/** The last request of a limited channel, in milliseconds of the process's own even clock. */
interface Last {
  readonly leftAt: number;
  /** From leaving to the answer; zero while it is not known. */
  readonly took: number;
  /** The shortest of all before it. */
  readonly fastest: number;
}

/**
 * Keeps limited channels at their rate as the provider sees it. It counts arrivals and not departures, so a request that
 * took longer than others is assumed to have arrived as much later, and the next one leaves as much later too.
 */
export function createDeparture(clock: Clock): Departure {
  const channels = new Map<string, Last>();

  return async ({ channel_id, departs_at, gap_ms }) => {
    const before = gap_ms === null ? undefined : channels.get(channel_id);
    const distanceMs = before
      ? before.leftAt + (gap_ms ?? 0) + before.took - before.fastest - performance.now()
      : 0;
    const waitMs = Math.max(departs_at.getTime() - clock.now().getTime(), distanceMs);
    // Timers may be a little early, and dates have lost their microseconds.
    if (waitMs > 0) await delay(Math.ceil(waitMs) + 1);
    if (gap_ms === null) return () => undefined;

    const leftAt = performance.now();
    const fastest = before?.took ? Math.min(before.fastest || before.took, before.took) : 0;
    channels.set(channel_id, { leftAt, took: 0, fastest });
    return () => {
      if (channels.get(channel_id)?.leftAt === leftAt)
        channels.set(channel_id, { leftAt, took: performance.now() - leftAt, fastest });
    };
  };
}
