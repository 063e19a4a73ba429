/** Calls `ring` once after the time; the returned function cancels it. */
export type Timer = (milliseconds: number, ring: () => void) => () => void;

export const systemTimer: Timer = (milliseconds, ring) => {
  const timeout = setTimeout(ring, milliseconds);
  return () => clearTimeout(timeout);
};

/** For tests: time passes only when it is told to. */
export interface ManualTimer {
  readonly timer: Timer;
  /** In how many milliseconds each waiting timer will ring, the next one first. */
  waiting(): number[];
  advance(milliseconds: number): void;
}

export function manualTimer(): ManualTimer {
  let now = 0;
  const alarms = new Map<() => void, number>();
  return {
    timer(milliseconds, ring) {
      const alarm = () => ring();
      alarms.set(alarm, now + milliseconds);
      return () => void alarms.delete(alarm);
    },
    waiting: () => [...alarms.values()].map((at) => at - now).toSorted((one, other) => one - other),
    advance(milliseconds) {
      now += milliseconds;
      for (const [alarm, at] of alarms) {
        if (at > now) continue;
        alarms.delete(alarm);
        alarm();
      }
    },
  };
}
