/** What a source of facts answers. A caller always gets a value: a missing source never ends the work. */

import type { Said } from "../said.ts";

export const sourceNames = [
  "dataforseo",
  "serper",
  "firecrawl",
  "pagespeed",
  "yandex",
  "searchconsole",
  "webmaster",
] as const;
export type SourceName = (typeof sourceNames)[number];

export type MissingReason =
  /** No key is set. */
  | "off"
  /** It did not answer, or not readably, in all attempts. */
  | "unavailable"
  /** It refuses this request or key; a repeat would not help. */
  | "refused"
  /** It answered that it knows nothing. */
  | "no_data"
  /** Money or requests are used up for now. */
  | "quota";

/** What to blame, where that is known. */
export type SourceFault =
  /** Our key, which the provider does not take. */
  | "key"
  /** The site that was asked about: it does not answer. */
  | "site_down"
  /** Its name, which nobody knows. */
  | "no_site";

export interface Found<T> {
  readonly ok: true;
  readonly value: T;
  /** What this call cost; 0 for a cached answer. */
  readonly costUsd: number;
  readonly cached: boolean;
  /** The call that the answer came from, as the books have it. */
  readonly callId: string;
}

export interface Missing {
  readonly ok: false;
  readonly source: SourceName;
  readonly reason: MissingReason;
  readonly fault?: SourceFault | undefined;
  readonly message: Said;
  /** For operators: the provider's own words, without secrets. */
  readonly detail: string;
}

export type Sourced<T> = Found<T> | Missing;

/** For whom a call is made: its cost is noted under this name. */
export interface Payer {
  readonly workspaceId: string;
  readonly userId: number;
  /** The work that the call is for, such as `keyword_generation`. */
  readonly operation?: string | undefined;
  readonly run?: string | undefined;
}
