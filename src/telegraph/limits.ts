/** Limits of Telegraph. Content is counted in bytes of its JSON in UTF-8. */
export const limits = {
  title: 256,
  authorName: 128,
  authorUrl: 512,
  shortName: 32,
  contentBytes: 64 * 1024,
  /** How many pages are searched for one whose creation was not confirmed. */
  lookBack: 50,
} as const;
