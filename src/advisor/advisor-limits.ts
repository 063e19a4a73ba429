export const limits = {
  text: 8_000,
  /** A profile in a question, as JSON. */
  profile: 8_000,
  /** After this time without an answer a request may be repeated under its id. */
  staleMs: 120_000,
  /** Shorter than `staleMs`, so that a live process gives up before another takes over. */
  answerWithinMs: 105_000,
  attachments: 1,
  inlineBytes: 3_000_000,
  photoBytes: 8_000_000,
  audioBytes: 10_000_000,
  uploadWithinMs: 15 * 60_000,
  keepMediaMs: 30 * 86_400_000,
  /** Summaries of earlier questions that Pro remembers. */
  memory: 8,
  upsellEveryMs: 86_400_000,
  shortestTtlSec: 60,
} as const;
