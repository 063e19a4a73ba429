import type { PaceSettings } from "./settings.ts";

/** What the governor remembers of an account. Times are milliseconds, so that a simulator can live in them. */
export interface PaceMemory {
  /** Messages in a day that the account is trusted with; a fraction, so that small growth adds up. */
  readonly perDay: number;
  /** Near-identical texts in a day that it is trusted with. */
  readonly copies: number;
  /** The most that a day without a warning has carried: as much again is not what Telegram minds. */
  readonly proven: { readonly perDay: number; readonly copies: number };
  /** Where Telegram warned. Absent as long as it never did. */
  readonly perDayLimit?: Limit;
  readonly copiesLimit?: Limit;
  /** The day that is being judged, and how far it was used. */
  readonly day: PaceDay;
  /** Telegram asked for silence until then. */
  readonly quietUntil: number;
  readonly breaker: Breaker;
  /** Oldest first, as long as they count. */
  readonly warnings: readonly Warning[];
  /** Sent since the last warning. */
  readonly sentClean: number;
}

/** A limit that was met: the load it was met at, and how sure that is. */
export interface Limit {
  readonly met: number;
  readonly sureness: number;
}

export interface PaceDay {
  /** Midnight of the account's zone. */
  readonly start: number;
  readonly sent: number;
  /** Most copies of one text that were counted. */
  readonly copies: number;
  readonly warned: boolean;
}

export type WarningCode = "flood_wait" | "peer_flood" | "slow_mode" | "write_forbidden" | "account_frozen";

export interface Warning {
  readonly code: WarningCode;
  readonly at: number;
  readonly seconds?: number;
  /** Whether the account's pace was to blame: a slow mode or one forbidden chat is not. */
  readonly counts: boolean;
}

/**
 * closed: messages pass. open: none until `until`. half_open: `trialsLeft` messages pass far apart; a warning among
 * them opens it for twice as long.
 */
export type Breaker =
  | { readonly state: "closed" }
  | { readonly state: "open"; readonly until: number; readonly hours: number }
  | { readonly state: "half_open"; readonly trialsLeft: number; readonly hours: number };

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

export function newDay(start: number): PaceDay {
  return { start, sent: 0, copies: 0, warned: false };
}
