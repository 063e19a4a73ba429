/** Whether a page loses its readers. */
import { refreshRules } from "./rules.ts";

/** Clicks of 28 days, and of the 28 days before. */
export interface Clicks {
  readonly now: number;
  readonly before: number;
}

export interface PageClicks extends Clicks {
  /** The same weeks a year ago; undefined if they are not archived. */
  readonly yearAgo?: Clicks | undefined;
}

export const verdicts = ["falling", "season", "steady", "too_little"] as const;
export type Verdict = (typeof verdicts)[number];

/** How much of a year's fall has to be there again for the season to explain it. */
const alike = 0.9;

/**
 * A fifth of the clicks is lost. If the page lost as much in the same weeks a year ago, it is the season, and writing it anew would
 * not bring anybody back.
 */
export function judgePage({ now, before, yearAgo }: PageClicks): Verdict {
  const { fall, leastClicks } = refreshRules;
  if (before < leastClicks) return "too_little";
  if (now > before * (1 - fall)) return "steady";
  const isSeason =
    yearAgo !== undefined &&
    yearAgo.before >= leastClicks &&
    yearAgo.now <= yearAgo.before * (1 - fall) &&
    now / before >= (yearAgo.now / yearAgo.before) * alike;
  return isSeason ? "season" : "falling";
}
