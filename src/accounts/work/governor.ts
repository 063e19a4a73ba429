import type { Outcome } from "../../platforms/index.ts";

/** Which account. */
export interface AccountKey {
  readonly workspaceId: string;
  readonly accountId: string;
}

/** What publishing asks of whoever keeps an account from being banned. */
export interface Governor {
  /** May this text go to this chat now? A wait puts the task off and costs no try. */
  mayGo(account: AccountKey, chatId: string, text: string): Promise<GovernorAnswer>;
  /** Told after each send. */
  noticed(account: AccountKey, chatId: string, outcome: Outcome, text: string): Promise<void>;
  /** For the planner: by how much gaps are stretched, and how many today at most. */
  paceOf(account: AccountKey): Promise<GovernedPace>;
  /** For the daily plan: how many of today's publications may have each of these texts; near-identical ones share a key. */
  textRooms?(account: AccountKey, texts: readonly string[]): Promise<readonly TextRoom[]>;
}

export interface TextRoom {
  readonly key: string | number;
  readonly copies: number;
}

export type GovernorAnswer =
  | { readonly go: true }
  | { readonly go: false; readonly until: Date; readonly reason: GovernorReason };

/** Reasons that hold back everything the account has, not one chat or one text. */
export const accountWide: ReadonlySet<string> = new Set([
  "flood_wait",
  "breaker_open",
  "breaker_trial",
  "daily_ceiling",
  "gap",
]);

/** Its code, and its words for people. */
export interface GovernorReason {
  readonly code: string;
  readonly ru: string;
  readonly en: string;
}

export interface GovernedPace {
  readonly gapFactor: number;
  /** The shortest gap of an account that spreads evenly and so has none of its own. */
  readonly gapSeconds?: number | undefined;
  readonly todaysCeiling?: number | undefined;
}

/** Holds nothing back. */
export const noGovernor: Governor = {
  mayGo: async () => ({ go: true }),
  noticed: async () => {},
  paceOf: async () => ({ gapFactor: 1 }),
};
