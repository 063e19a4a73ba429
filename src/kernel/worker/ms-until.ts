import type { Clock } from "../clock/index.ts";

/**
 * How long a round may rest before something is due. What is due already and could not be taken, because another process has
 * it, is looked at again after `leastMs`, so that no worker asks in a tight loop.
 */
export function msUntil(due: Date | null | undefined, clock: Clock, leastMs: number): number {
  return due ? Math.max(due.getTime() - clock.now().getTime(), leastMs) : Number.POSITIVE_INFINITY;
}
