import { randomOf } from "../random.ts";
import { distributions as d } from "./distributions.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Everybody is in the Moscow time zone, which has no summer time. */
export const zoneOffsetMs = 3 * hourMs;

/** Checks the accounts now and then during the day and starts the stopped ones again. */
export interface Operator {
  /** When a stopped account that may be started from `allowedAt` on is started. */
  startsAt(allowedAt: number): number;
}

export function createOperator(seed: number, workspace: number): Operator {
  const random = randomOf(seed, workspace, "operator");
  return {
    startsAt(allowedAt) {
      let at = allowedAt;
      for (;;) {
        at += random.exponential(d.operator.everyHours) * hourMs;
        const hour = hourOfDay(at);
        if (hour >= d.operator.from && hour < d.operator.to) return at;
        at = nextMorning(at);
      }
    },
  };
}

export function hourOfDay(at: number): number {
  return ((at + zoneOffsetMs) % dayMs) / hourMs;
}

function nextMorning(at: number): number {
  const midnight = Math.floor((at + zoneOffsetMs) / dayMs) * dayMs - zoneOffsetMs;
  const morning = midnight + d.operator.from * hourMs;
  return at < morning ? morning : morning + dayMs;
}
