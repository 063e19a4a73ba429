/** What search engines tell the owners of a site: who came from their results, page by page and day by day. */
import type { Payer, Sourced } from "./result.ts";

/** A site that the account may read. */
export interface Property {
  /** As the engine names it. */
  readonly id: string;
  readonly host: string;
  /** It stands for every subdomain as well. */
  readonly isDomain: boolean;
}

export interface PageDay {
  readonly url: string;
  /** Such as 2026-11-18, by the engine's own clock. */
  readonly day: string;
  readonly clicks: number;
  readonly impressions: number;
  /** The mean place; null if it is not told. */
  readonly position: number | null;
}

/** Both days included. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

export interface PeriodFigures {
  /** What the answer covers, which may be less than was asked for. Null: nothing yet. */
  readonly covered: Period | null;
  /** Days without a row had no clicks. */
  readonly days: readonly PageDay[];
}

export interface SearchFigures {
  properties(payer: Payer): Promise<Sourced<readonly Property[]>>;
  pageDays(property: Property, period: Period, payer: Payer): Promise<Sourced<PeriodFigures>>;
}
