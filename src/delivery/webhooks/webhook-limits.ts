/** How webhooks are sent: Svix's schedule, which receivers know. */
const [second, minute, hour] = [1_000, 60_000, 3_600_000];

export const webhookLimits = {
  /** The wait after the first failed attempt, after the second, and so on; after the last one there is no other. */
  retryAfterMs: [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour],
  /** The longest wait that a receiver may ask for by `Retry-After`. */
  longestAskedMs: 24 * hour,
  /** A webhook whose attempts have all failed for so long is disabled. */
  givenUpAfterMs: 5 * 24 * hour,
  timeoutMs: 15 * second,
  /** Longer than an attempt can take: after it, the process that sends is taken for dead. */
  leaseMs: 60 * second,
  /**
   * Attempts at the same time: in one process, and of one webhook in all processes, so that a slow receiver delays nobody.
   * A webhook that fails has one at a time.
   */
  atOnce: 32,
  perWebhook: 4,
  /** The largest answer that is read, and how much of it the log keeps. */
  answerBytes: 1024 * 1024,
  keptAnswer: 1_000,
} as const;
