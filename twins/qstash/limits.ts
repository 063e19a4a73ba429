const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

export const units = { s: second, m: minute, h: hour, d: day } as const;

/** What the pay-as-you-go plan allows. */
export const limits = {
  /** Messages and schedules wait this long at most. */
  delayMs: 365 * day,
  bodyBytes: 10 * 1024 * 1024,
  /** Retries unless the message names its own, and the most it may name. */
  retries: { usual: 3, most: 5 },
  timeoutMs: 30 * minute,
  deduplicationMs: 10 * minute,
  /** A plan's schedules; one more is refused with 412. */
  schedules: 1_000,
  /** What a forward jump of the clock makes up for, per schedule. */
  missedFirings: 1_000,
} as const;

/** Pause before the nth retry unless the message or the answer names one: min(1 day, e^(2.5 n) seconds). */
export const retryPauseMs = (nth: number) => Math.min(day, Math.round(Math.exp(2.5 * nth)) * second);

/** Whatever the answer asks for, the next attempt is at most a day away. */
export const longestPauseMs = day;

/** How long a signature is valid. */
export const signatureMs = 5 * minute;

/** A status with this header ends a message at once. */
export const nonRetryable = { status: 489, header: "upstash-nonretryable-error" } as const;
