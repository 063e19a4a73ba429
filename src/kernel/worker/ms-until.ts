import type { Clock } from "../clock/index.ts";

/**
 * How long a worker may rest before something is due. What is already due but held by another process is checked again after
 * `leastMs`, so that no worker polls in a tight loop.
 */
export function msUntil(due: Date | null | undefined, clock: Clock, leastMs: number): number {
  return due ? Math.max(due.getTime() - clock.now().getTime(), leastMs) : Number.POSITIVE_INFINITY;
}
