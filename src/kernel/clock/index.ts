/** Time is passed as an argument, so that tests can set it. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** A clock that stands still until it is moved. */
export interface ManualClock extends Clock {
  set(time: Date): void;
  advance(milliseconds: number): void;
}

export function manualClock(start: Date = new Date("2026-11-15T12:00:00Z")): ManualClock {
  let current = start.getTime();
  return {
    now: () => new Date(current),
    set: (time) => {
      current = time.getTime();
    },
    advance: (milliseconds) => {
      current += milliseconds;
    },
  };
}
