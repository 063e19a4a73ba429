import { setTimeout as delay } from "node:timers/promises";
import type { Clock } from "../../kernel/clock/index.ts";
import { Interrupted } from "./interrupted.ts";
import type { StartedDelivery } from "./started-delivery.ts";

/**
 * Waits for the time at which a delivery's first request may be sent. Call the returned function when the answer has come: it
 * returns how much later than usual the request may have arrived, if the next sender needs to know.
 */
export type Departure = (
  delivery: Pick<StartedDelivery, "channel_id" | "departs_at" | "gap_ms">,
) => Promise<() => number | undefined>;

/** The requests to a limited channel, in milliseconds of the process's monotonic clock. */
interface Way {
  /** When the last request was sent. */
  leftAt: number;
  /** How much later than usual it may have arrived. */
  lateBy: number;
  /** The usual time of an answer. */
  usual?: number;
}

/** How fast `usual` grows with slower answers; it takes over a faster one at once. */
const following = 1 / 16;

/** A delay below this fraction of the gap, or below this time, is ignored: the gap has that much reserve. */
const spareOfGap = 1 / 10;
const spareMs = 20;

/** Reserves half of the lease for the request. */
const partOfLease = 1 / 2;

/**
 * Keeps limited channels at their rate as the provider sees it. The provider counts arrivals, so a request whose answer took
 * longer than usual is assumed to have arrived that much later, and the next one is sent that much later too.
 */
export function createDeparture(clock: Clock, leaseMs: number, isKnownAlive: () => boolean): Departure {
  const ways = new Map<string, Way>();

  function wayTo(channelId: string): Way {
    const known = ways.get(channelId);
    if (known) return known;
    const way: Way = { leftAt: Number.NEGATIVE_INFINITY, lateBy: 0 };
    ways.set(channelId, way);
    return way;
  }

  /** A process that hung or was cut off for long must not send: another process may have the delivery by now. */
  function checkLease(departsAt: Date): void {
    if (!isKnownAlive()) throw new Interrupted("the process has lost its connection to the queue");
    if (clock.now().getTime() - departsAt.getTime() > leaseMs * partOfLease)
      throw new Interrupted("the process came to it too late");
  }

  return async ({ channel_id, departs_at, gap_ms }) => {
    const planMs = departs_at.getTime() - clock.now().getTime();
    if (gap_ms === null) {
      if (planMs > 0) await delay(planMs);
      checkLease(departs_at);
      return () => undefined;
    }
    const way = wayTo(channel_id);
    const waitMs = Math.max(planMs, way.leftAt + gap_ms + way.lateBy - performance.now());
    // A timer may fire up to a millisecond early.
    if (waitMs > 0) await delay(Math.ceil(waitMs) + 1);
    checkLease(departs_at);

    const leftAt = performance.now();
    way.leftAt = leftAt;
    way.lateBy = 0;
    return () => {
      const took = performance.now() - leftAt;
      // For the first answer there is no comparison: all of its time may have been spent on the way to the provider.
      const { usual = 0 } = way;
      const lateBy = Math.max(0, took - usual);
      if (way.leftAt === leftAt) way.lateBy = lateBy;
      way.usual = usual === 0 || took < usual ? took : usual + (took - usual) * following;
      return lateBy > Math.max(spareMs, gap_ms * spareOfGap) ? Math.ceil(lateBy) : undefined;
    };
  };
}
