/** Telegraph's limits. Texts are counted in characters, content in bytes of its JSON as it was sent. */
export const limits = {
  shortName: 32,
  authorName: 128,
  authorUrl: 512,
  title: 256,
  contentBytes: 64 * 1024,
  /** The proxy refuses longer query strings. */
  queryBytes: 3 * 1024,
  /** The proxy refuses larger bodies. */
  bodyBytes: 1024 * 1024,
  pageList: { least: 0, usual: 50, most: 200 },
  descriptionLength: 300,
  /** After this many new pages within the window, an account and an address have to wait. */
  flood: { pages: 20, windowMs: 60_000 },
  authUrlMs: 5 * 60_000,
} as const;
