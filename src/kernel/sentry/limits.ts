/** Bounds of what is reported. Reports are few, small and never waited for. */
export const limits = {
  /** Events that wait to be sent; more are dropped and counted. */
  queue: 100,
  /** Of one error, by type, place and log message; more are counted. */
  perMinute: 5,
  /** Different errors that are counted at once. */
  errors: 1_000,
  /** One request, and how often an event is tried when Sentry does not answer. */
  requestMs: 5_000,
  attempts: 3,
  answerBytes: 100_000,
  /** The pause after a request without an answer doubles up to the longest. */
  pauseMs: { first: 5_000, longest: 300_000 },
  /** Without a word from Sentry about how long, as its own libraries do. */
  limitedMs: 60_000,
  /** At the end of the process. */
  flushMs: 2_000,
  /** Sentry cuts messages at 8192 characters and tags at 200. */
  message: 1_000,
  tag: 200,
  frames: 50,
} as const;
