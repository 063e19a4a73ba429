import type { FileRules, PlatformLimits } from "../contract.ts";

/**
 * Limits of a Pin. Lengths are UTF-16 units. API v5 accepts a description of 800; 500 is what Pinterest shows and
 * documents for people. Rates follow the widely quoted hundred writes a minute per person and app with Standard access.
 */
export const limits = {
  text: 500,
  media: 1,
  title: 100,
  description: 500,
  needs: ["picture"],
  shortensArticles: true,
  perAccountPerSecond: 1.5,
} as const satisfies PlatformLimits;

export const longestAltText = 500;
export const longestLink = 2048;

/** A Pin is shown 1200 wide at most, so a larger picture would only make the request longer. */
export const pictureRules: FileRules = {
  as: "pin",
  maxBytes: 20 * 1024 * 1024,
  picture: { contentTypes: ["image/jpeg", "image/png"], longestSide: 3_000, proportion: [2, 3] },
};

/**
 * How much earlier than the first attempt a Pin may be dated, since Pinterest's clock may be behind ours; it counts
 * whole seconds.
 */
export const clockSlackMs = 5_000;

/** Pins or boards per request; the maximum of the API. */
export const pageSize = 250;

/** How many pages of a board are searched. */
export const pagesRead = 4;

/** How many pages of boards are offered for choice. */
export const boardPages = 8;
