import { z } from "zod";
import type { PaceSettings } from "./pace-settings.ts";

/** A load at which Telegram warned, and how certain it is that the load was the reason. */
const limit = z.object({ met: z.number(), sureness: z.number() });
export type Limit = Readonly<z.output<typeof limit>>;

const warning = z.object({
  code: z.enum(["flood_wait", "peer_flood", "slow_mode", "write_forbidden", "account_frozen"]),
  at: z.number(),
  seconds: z.number().exactOptional(),
  /** Whether the account's pace caused it; a slow mode or a single forbidden chat does not count. */
  counts: z.boolean(),
});
export type Warning = Readonly<z.output<typeof warning>>;
export type WarningCode = Warning["code"];

/**
 * closed: messages pass. open: none until `until`. half_open: `trialsLeft` messages pass far apart; a warning among them
 * opens it for twice as long.
 */
const breaker = z.discriminatedUnion("state", [
  z.object({ state: z.literal("closed") }),
  z.object({ state: z.literal("open"), until: z.number(), hours: z.number() }),
  z.object({ state: z.literal("half_open"), trialsLeft: z.number(), hours: z.number() }),
]);
export type Breaker = Readonly<z.output<typeof breaker>>;

/** What the governor remembers about an account, as it is stored. Times are milliseconds, which the simulator needs. */
export const memoryShape = z
  .object({
    /** Messages a day the account is trusted with; a fraction, so that small growth adds up. */
    perDay: z.number(),
    /** Near-identical texts a day it is trusted with. */
    copies: z.number(),
    /** The most that a day without a warning has carried. */
    proven: z.object({ perDay: z.number(), copies: z.number() }),
    /** Absent until Telegram has warned. */
    perDayLimit: limit.exactOptional(),
    copiesLimit: limit.exactOptional(),
    /** The current day: since midnight of the account's time zone. `copies` is the most copies of one text. */
    day: z.object({ start: z.number(), sent: z.number(), copies: z.number(), warned: z.boolean() }),
    /** End of the last flood wait. */
    quietUntil: z.number(),
    breaker,
    /** Oldest first; those that no longer matter are dropped. */
    warnings: z.array(warning).readonly(),
    /** Messages sent since the last warning. */
    sentClean: z.number(),
  })
  .readonly();
export type PaceMemory = z.output<typeof memoryShape>;

export function freshMemory(settings: PaceSettings, dayStart: number): PaceMemory {
  return {
    perDay: settings.start_per_day,
    copies: settings.start_copies,
    proven: { perDay: 0, copies: 0 },
    day: newDay(dayStart),
    quietUntil: 0,
    breaker: { state: "closed" },
    warnings: [],
    sentClean: 0,
  };
}

export function newDay(start: number): PaceMemory["day"] {
  return { start, sent: 0, copies: 0, warned: false };
}
