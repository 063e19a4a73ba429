/** How many updates of one person are answered. */
import type { Dialogue } from "./dialogue.ts";

/** Counted from the first update of a minute on. */
export interface Pace {
  readonly perMinute: number;
}

type Counted = Pick<Dialogue, "minute_began" | "minute_count">;

const minuteMs = 60_000;

/** The count with one more update; undefined if it is one too many. */
export function counted(
  { minute_began: began, minute_count: count }: Counted,
  { perMinute }: Pace,
  received: Date,
): Counted | undefined {
  const isNew = began === null || received.getTime() - began.getTime() >= minuteMs;
  if (isNew) return { minute_began: received, minute_count: 1 };
  return count < perMinute ? { minute_began: began, minute_count: count + 1 } : undefined;
}
