import type { AccountLimits } from "./model.ts";

const second = 1000;
const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

/** What Telegram accepts. Lengths are code points after entities are parsed. */
export const limits = {
  text: 4096,
  caption: 1024,
  premiumCaption: 2048,
  album: { min: 2, max: 10 },
  entities: 100,
  photo: { bytes: 10 * 1024 * 1024, sidesSum: 10_000, ratio: 20 },
  messagesPerChat: 5_000,
  /** Random ids are kept for longer than anybody retries. */
  sentMarks: 10_000,
} as const;

export const login = {
  codeLength: 5,
  codeLifeMs: 5 * minute,
  codesPerDay: 5,
  wrongCodesPerDay: 10,
  wrongPasswordsPerDay: 10,
  tokenLifeMs: 30 * second,
} as const;

/** Telegram publishes no rates; these are what careful users keep to. */
export const usualLimits: AccountLimits = {
  sendsPerMinute: 20,
  joinsPerHour: 20,
  resolvesPerDay: 200,
  strangersPerDay: 5,
  floodSeconds: 30,
};

export const longestFloodSeconds = 86_400;
export const peerFloodMs = day;
export const quotaWindows = { send: minute, join: hour, resolve: day } as const;
export type Quota = keyof typeof quotaWindows;
