/** The exact points of every check, and the figures each is judged by. docs/reference/seo-score.md shows this table. */

export const dimensions = {
  seo: 30,
  readability: 25,
  structure: 20,
  naturalness: 15,
  depth: 10,
} as const;

export type Dimension = keyof typeof dimensions;

/** A line from no points to all of them: `none` and `all` are the figures at its ends, whichever is larger. */
export interface Scale {
  readonly none: number;
  readonly all: number;
}

interface CheckPoints {
  readonly dimension: Dimension;
  readonly max: number;
  /** The lowest, where a check subtracts. */
  readonly min?: number;
}

export const points = {
  phraseInTitle: { dimension: "seo", max: 7 },
  phraseInFirstParagraph: { dimension: "seo", max: 5 },
  phraseInHeadings: { dimension: "seo", max: 2 },
  phraseInConclusion: { dimension: "seo", max: 3 },
  density: { dimension: "seo", max: 4, min: -20 },
  secondary: { dimension: "seo", max: 5 },
  metaDescription: { dimension: "seo", max: 4 },

  flesch: { dimension: "readability", max: 8 },
  longSentences: { dimension: "readability", max: 7 },
  longParagraphs: { dimension: "readability", max: 5 },
  vocabulary: { dimension: "readability", max: 5 },

  oneH1: { dimension: "structure", max: 4 },
  h2: { dimension: "structure", max: 5 },
  faq: { dimension: "structure", max: 4 },
  schema: { dimension: "structure", max: 2 },
  internalLinks: { dimension: "structure", max: 3 },
  contents: { dimension: "structure", max: 2 },

  filler: { dimension: "naturalness", max: 3 },
  markers: { dimension: "naturalness", max: 4 },
  variation: { dimension: "naturalness", max: 4 },
  facts: { dimension: "naturalness", max: 4 },

  words: { dimension: "depth", max: 4 },
  entities: { dimension: "depth", max: 2 },
  lists: { dimension: "depth", max: 2 },
  images: { dimension: "depth", max: 2 },
} as const satisfies Readonly<Record<string, CheckPoints>>;

export type CheckId = keyof typeof points;

export const figures = {
  /** Of all words, in percent, those that belong to occurrences of the phrase in any form. */
  density: {
    low: 1.5,
    high: 2.5,
    scant: { none: 0.2, all: 1.5 } satisfies Scale,
    tolerated: 3,
    lostPerPercent: 4,
    /** So few mentions are no repetition, however short the text. */
    noRepetition: 2,
    /** From here on no sentence is natural: naturalness shrinks to nothing. */
    stuffed: { none: 10, all: 4 } satisfies Scale,
  },
  meta: { min: 120, max: 160, nearMin: 80, nearMax: 200 },
  /** Okay from 50 on: yoastseo's threshold for the same formula. */
  flesch: { none: 10, all: 50 } satisfies Scale,
  /** Share of sentences of `words` and more. */
  longSentence: { words: 20, share: { none: 0.6, all: 0.25 } satisfies Scale },
  longParagraph: { words: 150, share: { none: 0.5, all: 0 } satisfies Scale },
  /** Different lemmas among all, as the mean over windows, so that a longer text is not poorer for its length. */
  vocabulary: { window: 300, scale: { none: 0.3, all: 0.45 } satisfies Scale },
  h2: { min: 3, max: 6 },
  /** A text needs more headings the longer it is. */
  h2WordsEach: 500,
  faq: { enough: 3 },
  internalLinks: { enough: 2 },
  contentsFrom: 3,
  filler: { none: 1.2, all: 0.1 } satisfies Scale,
  /** People 0.29 per 100 words, machines 0.67. */
  markers: { none: 1.2, all: 0.35 } satisfies Scale,
  /** Seven machine texts had 0.23 on average. */
  variation: { none: 0.2, all: 0.45 } satisfies Scale,
  /** Numbers with units per 100 words. */
  facts: { none: 0, all: 2 } satisfies Scale,
  entities: { none: 0, all: 1 } satisfies Scale,
  listItems: 3,
  imageWordsEach: 700,
  /** Below this many words, ratios mean little: points of readability and naturalness shrink with the length. */
  ratiosFrom: 300,
} as const;

export const gates = [
  { gate: "pass", from: 80 },
  { gate: "warn", from: 60 },
  { gate: "may_publish", from: 40 },
  { gate: "block", from: 0 },
] as const;

/** `pass`: publish; `warn`: critique and one rewrite; `may_publish`: with a warning; `block`: not published, tokens returned. */
export type Gate = (typeof gates)[number]["gate"];

export function gateOf(total: number): Gate {
  return gates.find(({ from }) => total >= from)?.gate ?? "block";
}

/** The share of a check's points, 0 to 1. */
export function onScale(figure: number, { none, all }: Scale): number {
  return Math.min(1, Math.max(0, (figure - none) / (all - none)));
}
