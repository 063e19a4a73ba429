/** Bounds of what is asked and kept. Texts of strangers go into prompts, so each of them has a longest length. */
export const limits = {
  title: 300,
  snippet: 600,
  url: 2000,
  phrase: 120,
  summary: 3000,
  /** Characters of a page's text that are kept; its words are counted before that. */
  markdown: 40_000,
  headings: 120,
  heading: 200,
  mapTitle: 160,
  /** Of each kind of answer; a larger one is a failure. */
  maxBytes: { small: 4_000_000, page: 12_000_000, report: 20_000_000 },
} as const;

/** A provider's demand to wait longer than this means that its quota is used up. */
export const longestWaitMs = 30_000;
