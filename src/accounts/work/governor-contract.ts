import type { Transaction } from "../../kernel/db/index.ts";
import type { Outcome } from "../../platforms/index.ts";

export interface AccountKey {
  readonly workspaceId: string;
  readonly accountId: string;
}

/** What publishing needs from the governor, which protects accounts from bans. */
export interface Governor {
  /** Whether this text may go to this chat now. A refusal postpones the task and counts no attempt. */
  mayGo(account: AccountKey, chatId: string, text: string): Promise<GovernorAnswer>;
  /** Called after each send. */
  noticed(account: AccountKey, chatId: string, outcome: Outcome, text: string): Promise<void>;
  /** For the planner: gaps and today's limit. */
  paceOf(account: AccountKey): Promise<GovernedPace>;
  /** For the daily plan: how often each text may be published today; near-identical texts share a key. */
  textRooms?(account: AccountKey, texts: readonly string[]): Promise<readonly TextRoom[]>;
  /**
   * For the planner: predicts the answers to these messages. Reads in the planner's transaction, which may have changed the account.
   * Without it the planner knows only today's pace.
   */
  forecast?(tx: Transaction, account: AccountKey, ahead: Ahead): Promise<Forecast>;
}

/** Known future messages. */
export interface Ahead {
  readonly messages: readonly Message[];
  /** Messages other accounts have planned. */
  readonly others: readonly { readonly text: string; readonly at: Date }[];
}

export interface Message {
  readonly chatId: string;
  readonly text: string;
}

/** Predicted answers, assuming that everything goes as planned and Telegram does not warn. Must be asked in order of time. */
export interface Forecast {
  paceAt(at: Date): GovernedPace;
  /** What would hold the message back then; undefined if it may go. */
  holdOf(message: Message | undefined, at: number): Hold | undefined;
  /** Records the message as sent then, for later answers. */
  planned(message: Message | undefined, at: number): void;
  /** A copy for trying something out. */
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

/** Reasons that affect the whole account, not one chat or text. */
export const accountWide: ReadonlySet<string> = new Set([
  "flood_wait",
  "breaker_open",
  "breaker_trial",
  "daily_ceiling",
  "gap",
]);

export interface GovernorReason {
  readonly code: string;
  readonly ru: string;
  readonly en: string;
}

export interface GovernedPace {
  readonly gapFactor: number;
  /** Minimum gap for the mode smart, which has none of its own. */
  readonly gapSeconds?: number | undefined;
  readonly todaysCeiling?: number | undefined;
  readonly reasons?: readonly PaceReason[] | undefined;
}

export interface PaceReason extends GovernorReason {
  readonly until?: Date;
}

/** For tests: allows everything. */
export const noGovernor: Governor = {
  mayGo: async () => ({ go: true }),
  noticed: async () => {},
  paceOf: async () => ({ gapFactor: 1 }),
};
