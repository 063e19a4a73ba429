/** Calls `ring` once after the time, unless the function it returns is called before. */
export type Timer = (milliseconds: number, ring: () => void) => () => void;

export const systemTimer: Timer = (milliseconds, ring) => {
  const timeout = setTimeout(ring, milliseconds);
  return () => clearTimeout(timeout);
};

/** For tests: time passes only when it is told to. */
export interface ManualTimer {
  readonly timer: Timer;
  /** How long until the first of those that wait rings; undefined when none waits. */
  nextMs(): number | undefined;
  advance(milliseconds: number): void;
}

export function manualTimer(): ManualTimer {
  let now = 0;
  const waiting = new Map<() => void, number>();
  return {
    timer(milliseconds, ring) {
      const alarm = () => ring();
      waiting.set(alarm, now + milliseconds);
      return () => void waiting.delete(alarm);
    },
    nextMs: () => (waiting.size === 0 ? undefined : Math.min(...waiting.values()) - now),
    advance(milliseconds) {
      now += milliseconds;
      for (const [alarm, at] of waiting) {
        if (at > now) continue;
        waiting.delete(alarm);
        alarm();
      }
    },
  };
}
