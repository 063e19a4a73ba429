/** How much of a source is read, how long it may take, how much is written at once. */
export const pullLimits = {
  fetchTimeoutMs: 20_000,
  answerBytes: 10 * 1024 * 1024,
  /** Items of one transaction. */
  chunk: 100,
  /** Longer than any fetch; lengthened with every chunk. */
  leaseSeconds: 300,
  query: { timeoutMs: 15_000, pages: 10 },
} as const;
