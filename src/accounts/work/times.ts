/** How the worker spends its time. Each may be shortened in tests and in the demonstration. */
export interface WorkTimes {
  /** The longest rest when nothing is heard. */
  readonly tickMs: number;
  /** A send is told to give up, and stuck tasks are looked for. */
  readonly softMs: number;
  /** A send is no longer waited for. */
  readonly hardMs: number;
  /** A task under way for longer has lost its worker. */
  readonly stuckSeconds: number;
  /** Tries that may end badly. */
  readonly maxAttempts: number;
  readonly retryMs: number;
  /** The least wait after the limiter has said no. */
  readonly postponeMs: number;
  /** A flood wait that does not say how long. */
  readonly unknownFloodSeconds: number;
  /** Tasks of one account in a row, so that no account keeps a place for itself. */
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
