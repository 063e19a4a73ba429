/** How fast an account may join chats. */
export const joinModes = ["safe", "aggressive"] as const;
export type JoinMode = (typeof joinModes)[number];

export const joinPace = {
  /** Between two joins, besides the jitter. */
  intervalSeconds: { safe: 600, aggressive: 120 },
  jitterSeconds: { min: 1, max: 99 },
  /** The jitter as it is expected when the remaining time is told. */
  usualJitterSeconds: 50,
  /** After a chat that cost Telegram nothing: the account was in it, or the link leads nowhere. */
  afterNothingSeconds: 60,
  /** After the network failed, and how often the same chat is tried before it is passed over. */
  networkRetrySeconds: 60,
  networkTries: 3,
  /** So many floods in a row are waited out; the next one stops the task. */
  floodsWaitedOut: 3,
  /** Of a flood whose length is not told. */
  unknownFloodSeconds: 3600,
  /** How long a step may take before another worker does it again. */
  leaseSeconds: 300,
} as const;

/** How long the rest of a task takes, as far as can be told. */
export function remainingSeconds(mode: JoinMode, chats: number): number {
  return chats * (joinPace.intervalSeconds[mode] + joinPace.usualJitterSeconds);
}
