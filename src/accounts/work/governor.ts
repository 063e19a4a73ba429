import type { Transaction } from "../../kernel/db/index.ts";
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
  /**
   * For the planner: what it will answer to these messages later on. Reads in the planner's transaction, which may have changed
   * the account. Without it the planner knows today's pace alone.
   */
  forecast?(tx: Transaction, account: AccountKey, ahead: Ahead): Promise<Forecast>;
}

/** What is to be published, as far as it is known. */
export interface Ahead {
  readonly messages: readonly Message[];
  /** What other accounts will send. */
  readonly others: readonly { readonly text: string; readonly at: Date }[];
}

/** What goes where, as far as it matters for the pace. */
export interface Message {
  readonly chatId: string;
  readonly text: string;
}

/** The governor's answers in time to come, if everything goes as planned and Telegram warns of nothing. Asked in order of time. */
export interface Forecast {
  paceAt(at: Date): GovernedPace;
  /** What would hold the message back at that moment; nothing when it may go. */
  holdOf(message: Message | undefined, at: number): Hold | undefined;
  /** The message goes at that moment: later answers count it. */
  planned(message: Message | undefined, at: number): void;
  /** For trying something out. */
  fork(): Forecast;
}

export interface Hold {
  readonly until: number;
  readonly code: string;
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
  /** Why, and until when. */
  readonly reasons?: readonly PaceReason[] | undefined;
}

export interface PaceReason extends GovernorReason {
  readonly until?: Date;
}

/** Holds nothing back. */
export const noGovernor: Governor = {
  mayGo: async () => ({ go: true }),
  noticed: async () => {},
  paceOf: async () => ({ gapFactor: 1 }),
};
