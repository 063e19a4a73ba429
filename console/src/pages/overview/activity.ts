/** The numbers behind the chart of the last hour. */
import type { Minute } from "../../api/index.ts";

export function totalsOf(minutes: readonly Minute[]): { sent: number; failed: number } {
  return {
    sent: minutes.reduce((sum, minute) => sum + minute.sent, 0),
    failed: minutes.reduce((sum, minute) => sum + minute.failed, 0),
  };
}

/** The top of the scale: the smallest round even number that holds the busiest minute, so that half of it is whole. */
export function ceilingOf(minutes: readonly Minute[]): number {
  const busiest = Math.max(0, ...minutes.map(({ sent, failed }) => sent + failed));
  for (let power = 1; ; power *= 10) {
    const fit = [2, 4, 6, 8].map((digit) => digit * power).find((top) => top >= busiest);
    if (fit !== undefined) return fit;
  }
}

/** Which minute lies under a point this far from the chart's left edge. */
export function minuteUnder(x: number, width: number, count: number): number {
  return Math.min(count - 1, Math.max(0, Math.floor((x / width) * count)));
}

/** The minutes that get a label: every quarter of an hour on the reader's clock. */
export function quartersOf(minutes: readonly Minute[]): number[] {
  return minutes.flatMap(({ at }, index) => (new Date(at).getMinutes() % 15 === 0 ? [index] : []));
}
