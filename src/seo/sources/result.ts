/** What a source of facts answers. A caller always gets a value: a missing source never ends the work. */

import type { Said } from "../said.ts";

export type SourceName = "dataforseo" | "serper" | "firecrawl" | "pagespeed" | "yandex";

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
