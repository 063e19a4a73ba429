import { setTimeout as delay } from "node:timers/promises";
import type { Clock } from "../../kernel/clock/index.ts";
import { Interrupted } from "./interrupted.ts";
import type { StartedDelivery } from "./started-delivery.ts";

/**
 * Waits for the instant at which a delivery's first request may leave; what it gives back is told when the answer came, and
 * says how much later than usual the request may have arrived, if that matters to whoever sends the next one.
 */
export type Departure = (
  delivery: Pick<StartedDelivery, "channel_id" | "departs_at" | "gap_ms">,
) => Promise<() => number | undefined>;

/** The way to a limited channel, in milliseconds of the process's own even clock. */
interface Way {
  /** When the last request left. */
  leftAt: number;
  /** How much later than usual it may have arrived. */
  lateBy: number;
  /** What an answer usually takes. */
  usual?: number;
}

/** How fast `usual` follows answers that take longer; a shorter one it follows at once. */
const following = 1 / 16;

/** Less than this part of the gap, or than this time, is within what the gap has to spare. */
const spareOfGap = 1 / 10;
const spareMs = 20;

/** Of its lease, a delivery needs the rest for the request itself. */
const partOfLease = 1 / 2;

/**
 * Keeps limited channels at their rate as the provider sees it. It counts arrivals and not departures, so a request whose
 * answer took longer than usual is assumed to have arrived as much later, and the next one leaves as much later too.
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

  /** A process that stood still or was cut off for long must not send what may be another's by now. */
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
    // A timer may be up to a millisecond early.
    if (waitMs > 0) await delay(Math.ceil(waitMs) + 1);
    checkLease(departs_at);

    const leftAt = performance.now();
    way.leftAt = leftAt;
    way.lateBy = 0;
    return () => {
      const took = performance.now() - leftAt;
      // Of the first answer nothing is known: all its time may have been the way there.
      const { usual = 0 } = way;
      const lateBy = Math.max(0, took - usual);
      if (way.leftAt === leftAt) way.lateBy = lateBy;
      way.usual = usual === 0 || took < usual ? took : usual + (took - usual) * following;
      return lateBy > Math.max(spareMs, gap_ms * spareOfGap) ? Math.ceil(lateBy) : undefined;
    };
  };
}
