import { limits } from "./limits.ts";

interface Count {
  since: number;
  admitted: number;
  /** Since the last one that was admitted. */
  missed: number;
}

export interface Repeats {
  /** Counts one. If it may be sent, returns how many were not sent since the last; undefined if it is only counted. */
  admit(error: string, now: number, isOpen: boolean): number | undefined;
  /** Counts those that were admitted and could not be sent all the same. */
  missed(error: string, count: number): void;
}

const minuteMs = 60_000;

/** Counts equal errors, so that a storm of them becomes a few events and a number. */
export function createRepeats(): Repeats {
  const counts = new Map<string, Count>();

  function countOf(error: string, now: number): Count {
    const count = counts.get(error) ?? { since: now, admitted: 0, missed: 0 };
    if (now - count.since >= minuteMs) Object.assign(count, { since: now, admitted: 0 });
    // Last in the map: the first is the one that was seen longest ago.
    counts.delete(error);
    counts.set(error, count);
    const [oldest] = counts.keys();
    if (counts.size > limits.errors && oldest !== undefined) counts.delete(oldest);
    return count;
  }

  return {
    admit(error, now, isOpen) {
      const count = countOf(error, now);
      if (!isOpen || count.admitted >= limits.perMinute) {
        count.missed += 1;
        return undefined;
      }
      const { missed } = count;
      Object.assign(count, { admitted: count.admitted + 1, missed: 0 });
      return missed;
    },
    missed(error, more) {
      const count = counts.get(error);
      if (count) count.missed += more;
    },
  };
}
