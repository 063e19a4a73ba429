/** Times and limits of the worker; shortened in tests and in the demo. */
export interface WorkTimes {
  /** Longest wait without a notification. */
  readonly tickMs: number;
  /** The send is aborted, and stuck tasks are recovered. */
  readonly softMs: number;
  /** The worker stops waiting for the send. */
  readonly hardMs: number;
  /** After this time in progress a task counts as stuck. */
  readonly stuckSeconds: number;
  /** Failed attempts before a task fails. */
  readonly maxAttempts: number;
  readonly retryMs: number;
  /** Minimum wait after the limiter's refusal. */
  readonly postponeMs: number;
  /** For a flood wait without a length. */
  readonly unknownFloodSeconds: number;
  /** Tasks of one account in a row, so that it does not occupy a worker place for long. */
  readonly perVisit: number;
  readonly accountsAtOnce: number;
}

export const workTimes: WorkTimes = {
  tickMs: 60_000,
  softMs: 240_000,
  hardMs: 300_000,
  stuckSeconds: 300,
  maxAttempts: 3,
  retryMs: 5 * 60_000,
  postponeMs: 60_000,
  unknownFloodSeconds: 3_600,
  perVisit: 10,
  accountsAtOnce: 50,
};
