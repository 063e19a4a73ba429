export const joinModes = ["safe", "aggressive"] as const;
export type JoinMode = (typeof joinModes)[number];

export const joinPace = {
  /** Between two joins, plus jitter. */
  intervalSeconds: { safe: 600, aggressive: 120 },
  jitterSeconds: { min: 1, max: 99 },
  /** Average jitter, for the estimate of the remaining time. */
  usualJitterSeconds: 50,
  /** After a chat that needed no join: the account was in it, or the link is dead. */
  afterNothingSeconds: 60,
  /** After a network error, and how often the same chat is tried. */
  networkRetrySeconds: 60,
  networkTries: 3,
  /** This many flood waits in a row are waited out; the next one stops the task. */
  floodsWaitedOut: 3,
  /** Flood wait without a length. */
  unknownFloodSeconds: 3600,
  /** After this time another worker repeats the step. */
  leaseSeconds: 300,
} as const;

/** Estimated time for the remaining chats. */
export function remainingSeconds(mode: JoinMode, chats: number): number {
  return chats * (joinPace.intervalSeconds[mode] + joinPace.usualJitterSeconds);
}
