/** Where a page stands in Google's results: the task for DataForSEO, and its answer. */
import { z } from "zod";
import { parsedUrl } from "../../../kernel/url/index.ts";
import { pageKey } from "../../links/index.ts";
import { limits } from "../limits.ts";
import { listOf, objectOf, webAddress } from "../shapes.ts";

export interface WantedRank {
  readonly phrase: string;
  readonly url: string;
  /** How many results are looked at. */
  readonly depth: number;
}

/** Null: not among the results that were looked at. */
export interface Rank {
  readonly position: number | null;
}

export const rankPath = "/serp/google/organic/live/regular";
export const rankMemory = z.object({
  value: z.object({ position: z.int().min(1).nullable() }),
  callId: z.string(),
});

/** What DataForSEO takes as a phrase of a search. */
const longestPhrase = 700;
/** Words before a colon that make a search five times dearer. */
const operators =
  /\b(?:all)?(?:inanchor|intext|intitle|inurl)\s*:|\b(?:cache|define|definition|filetype|id|info|link|site)\s*:/giu;

/** The crawl ends on the page of results that has the page: what lies behind it is not paid for. */
export function rankTask({ phrase, url, depth }: WantedRank) {
  return {
    keyword: searchOf(phrase),
    depth,
    stop_crawl_on_match: [targetOf(url)],
    // Otherwise a mention in a box above the results would end the crawl before them.
    find_targets_in: ["organic"],
  };
}

/** It decodes `%` and `+` as an address does. */
function searchOf(phrase: string): string {
  const words = phrase.replaceAll(operators, " ").replaceAll(/\s+/g, " ").trim();
  return words.slice(0, longestPhrase).replaceAll("%", "%25").replaceAll("+", "%2B");
}

/** The page itself; another page of the site above it does not end the crawl. */
function targetOf(url: string) {
  const parsed = parsedUrl(url);
  const path = `${parsed?.pathname ?? "/"}${parsed?.search ?? ""}`.replace(/\/$/, "");
  return path === ""
    ? { match_value: parsed?.hostname ?? "", match_type: "domain" }
    : { match_value: `${path}*`, match_type: "wildcard" };
}

const found = listOf(
  objectOf({
    items: listOf(
      z.object({
        type: z.string(),
        rank_group: z.int().min(1),
        url: webAddress.pipe(z.string().max(limits.url)),
      }),
    ),
  }),
  1,
);

/** Reads the position among the organic results. */
export function rankIn(url: string) {
  const wanted = pageKey(url);
  return found.transform(([page]): Rank => {
    const own = (page?.items ?? []).filter((item) => item.type === "organic" && pageKey(item.url) === wanted);
    const positions = own.map(({ rank_group }) => rank_group);
    return { position: positions.length === 0 ? null : Math.min(...positions) };
  });
}
