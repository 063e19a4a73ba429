import { webhookLimits } from "./webhook-limits.ts";

/** What became of one attempt. */
export interface AttemptResult {
  /** Undefined when there was no answer. */
  readonly status?: number | undefined;
  readonly answer?: string | undefined;
  /** Undefined: it arrived. */
  readonly error?: string | undefined;
  /** How long the receiver asks to wait. */
  readonly retryAfterMs?: number | undefined;
}

export interface AfterAttempt {
  /** Null: there is no further attempt. */
  readonly nextAt: Date | null;
  /** The receiver wants nothing any more. */
  readonly gone: boolean;
}

/** Decides what follows an attempt; `tries` is how many there were since the message was written or replayed, this one included. */
export function afterAttempt(
  { status, error, retryAfterMs = 0 }: AttemptResult,
  tries: number,
  now: Date,
): AfterAttempt {
  const gone = status === 410;
  const planned = webhookLimits.retryAfterMs[tries - 1];
  if (error === undefined || gone || planned === undefined) return { nextAt: null, gone };
  const asked = Math.min(retryAfterMs, webhookLimits.longestAskedMs);
  return { nextAt: new Date(now.getTime() + Math.max(planned, asked)), gone };
}
