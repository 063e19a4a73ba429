/** What providers usually charge and how long they usually take: the document's figures (§2.5, §4.2). */

interface Range {
  readonly from: number;
  readonly to: number;
}

/** Dollars. */
export const unitCosts = {
  search: { from: 0.001, to: 0.001 },
  competitors: { from: 0.003, to: 0.003 },
  outline: { from: 0.01, to: 0.01 },
  article: { from: 0.12, to: 0.12 },
  /** About every third article is criticised and rewritten once. */
  critique: { from: 0, to: 0.02 },
  /** A quarter of what four pictures cost. */
  picture: { from: 0.03, to: 0.06 },
  /** The document has no figure: some 3,000 tokens of the cheap model, or of the dear one behind it. */
  post: { from: 0.001, to: 0.02 },
} as const satisfies Readonly<Record<string, Range>>;

/** Seconds of a whole work. */
export const durations = {
  article: { from: 56, to: 97 },
  /** The document has no figure: a text of a cheap model and a picture. */
  social_post: { from: 15, to: 60 },
} as const satisfies Readonly<Record<string, Range>>;
