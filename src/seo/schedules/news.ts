/** What people are told about an autopublication. */
import type { Transaction } from "../../kernel/db/index.ts";
import type { Said } from "../said.ts";
import type { Autopublication } from "./autopublications.ts";
import type { EndName, Passing } from "./ends.ts";
import type { ScheduledPlace } from "./scheduled-place.ts";

export type News = {
  readonly slot: Autopublication;
  readonly place: ScheduledPlace;
} & (Published | Ended | Later);

export interface Published {
  readonly kind: "published";
  readonly url: string | undefined;
  /** What the lead and its adaptations were charged, and what is left. */
  readonly tokens: number;
  readonly balance: number;
  readonly warnings: readonly { readonly code: string; readonly message: Said }[];
  readonly isFree: boolean;
  readonly crossed: readonly Crossed[];
}

/** What became of an adaptation to another connection. */
export interface Crossed {
  readonly name: string;
  readonly outcome:
    | { readonly ok: true; readonly url: string | undefined }
    | { readonly ok: false; readonly said: Said };
}

export interface Ended {
  readonly kind: "ended";
  readonly name: EndName;
  /** The reason in the words of whoever refused. */
  readonly said?: Said | undefined;
  readonly needed?: number | undefined;
  readonly balance?: number | undefined;
  /** Tokens were held and went back. */
  readonly isReturned: boolean;
  /** The schedule was switched off for three failures in a row. */
  readonly isGivenUp: boolean;
}

export interface Later {
  readonly kind: "later";
  readonly name: Passing;
}

/** Tells the person, in the transaction that makes it true. */
export type TellNews = (tx: Transaction, news: News, now: Date) => Promise<void>;
