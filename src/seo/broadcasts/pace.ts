/** When the next message may leave: evenly spaced, and never more than twenty within any second. */
import { setTimeout as pause } from "node:timers/promises";

/** A monotonic clock and a way to wait on it. */
export interface Timer {
  now(): number;
  /** False if the signal ended the wait. */
  rest(ms: number, signal: AbortSignal): Promise<boolean>;
}

export const systemTimer: Timer = {
  now: () => performance.now(),
  async rest(ms, signal) {
    try {
      await pause(ms, undefined, { signal });
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    return !signal.aborted;
  },
};

/** Telegram allows 30 a second to all chats; the conversations need the rest. */
export const perSecond = 20;
const secondMs = 1_000;
/** A hundredth below the limit: room for timers that are late. */
const spacingMs = (secondMs / perSecond) * 1.01;

export interface Pace {
  /** Waits for the next message's turn; false if the signal ended the wait. */
  turn(signal: AbortSignal): Promise<boolean>;
  /** A message leaves now: what is done between its turn and this may take its time. */
  leave(): void;
  /** Telegram asked us to wait. */
  hold(ms: number): void;
}

export function createPace(timer: Timer): Pace {
  const left: number[] = [];
  let next = timer.now();
  let heldUntil = 0;
  return {
    async turn(signal) {
      for (;;) {
        const now = timer.now();
        const [oldest] = left.length < perSecond ? [] : left;
        const at = Math.max(next, heldUntil, oldest === undefined ? 0 : oldest + secondMs);
        if (signal.aborted) return false;
        if (at <= now) return true;
        if (!(await timer.rest(at - now, signal))) return false;
      }
    },
    leave() {
      const now = timer.now();
      left.push(now);
      if (left.length > perSecond) left.shift();
      // What was missed is not caught up: that would be a burst.
      next = Math.max(next, now - spacingMs) + spacingMs;
    },
    hold(ms) {
      heldUntil = Math.max(heldUntil, timer.now() + ms);
    },
  };
}
