import type { Clock } from "../../kernel/clock/index.ts";

/** The system clock plus an adjustable offset. */
export function movedClock(): Clock & { advance(minutes: number): void } {
  let shift = 0;
  return {
    now: () => new Date(Date.now() + shift),
    advance(minutes) {
      shift += minutes * 60_000;
    },
  };
}
