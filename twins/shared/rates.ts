/** At most `count` units of cost under `key` in any `perMs`. */
export interface Rate {
  readonly key: string;
  readonly count: number;
  readonly perMs: number;
  /** The cost of this call; 1 by default. */
  readonly cost?: number;
}

export interface Rates {
  /** Counts the call against every rate, or against none and returns how many milliseconds to wait. */
  take(rates: readonly Rate[]): number | undefined;
  clear(): void;
}

interface Window {
  /** When each unit of cost was spent, oldest first. */
  spent: number[];
  perMs: number;
  blockedAt: number;
  blockedUntil: number;
  /** Calls that came during a wait. */
  strikes: number;
}

/** Calls already sent when the first one is refused are not held against the client. */
const graceMs = 1_000;
const longestWaitMs = 60_000;
const sweepEvery = 1_000;

/** Sliding windows. A client that waits as told is let in; for one that keeps calling, the wait doubles. */
export function createRates(clock: { now(): number }): Rates {
  const windows = new Map<string, Window>();
  let taken = 0;

  function take(rates: readonly Rate[]): number | undefined {
    const now = clock.now();
    taken += 1;
    if (taken % sweepEvery === 0) forgetQuiet(windows, now);

    const waits = rates.map((rate) => waitFor(windowOf(rate), rate, now)).filter((wait) => wait > 0);
    if (waits.length > 0) return Math.max(...waits);
    for (const rate of rates) {
      const window = windowOf(rate);
      window.strikes = 0;
      for (let unit = 0; unit < costOf(rate); unit += 1) window.spent.push(now);
    }
    return undefined;
  }

  function windowOf({ key, perMs }: Rate): Window {
    const known = windows.get(key);
    if (known) return known;
    const fresh: Window = { spent: [], perMs, blockedAt: 0, blockedUntil: 0, strikes: 0 };
    windows.set(key, fresh);
    return fresh;
  }

  return { take, clear: () => windows.clear() };
}

function waitFor(window: Window, rate: Rate, now: number): number {
  window.perMs = rate.perMs;
  window.spent = window.spent.filter((at) => at > now - rate.perMs);
  const surplus = window.spent.length + costOf(rate) - rate.count;
  const freeAt = surplus > 0 ? (window.spent[surplus - 1] ?? now) + rate.perMs : now;

  if (now < window.blockedUntil) {
    if (now - window.blockedAt > graceMs) {
      window.strikes += 1;
      const grown = Math.min(longestWaitMs, rate.perMs * 2 ** window.strikes);
      window.blockedUntil = Math.max(window.blockedUntil, now + grown);
    }
    return Math.max(window.blockedUntil, freeAt) - now;
  }
  if (freeAt > now) {
    window.blockedAt = now;
    window.blockedUntil = freeAt;
  }
  return freeAt - now;
}

/** A call that costs more than the whole window is let through when the window is empty. */
function costOf({ cost = 1, count }: Rate): number {
  return Math.min(cost, count);
}

function forgetQuiet(windows: Map<string, Window>, now: number): void {
  for (const [key, window] of windows) {
    const last = window.spent.at(-1) ?? 0;
    if (now > window.blockedUntil && now - last > window.perMs) windows.delete(key);
  }
}
