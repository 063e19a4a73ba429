/** Limits for reading a source. It is a foreign server, so everything about it is limited. */
export interface ListingLimits {
  /** From opening the connection to the last byte, all pages included. Shorter than a lease. */
  readonly wholeMs: number;
  /** One document over HTTP. */
  readonly fetchMs: number;
  /** Between two bytes of a database; longer than its own limit for a statement. */
  readonly silenceMs: number;
  readonly documentBytes: number;
  /** All pages together. */
  readonly wholeBytes: number;
}

const mebibyte = 1024 * 1024;

/** How much of a source is read, how long it may take, how much is written at once. */
export const pullLimits = {
  listing: {
    wholeMs: 120_000,
    fetchMs: 20_000,
    silenceMs: 20_000,
    documentBytes: 10 * mebibyte,
    wholeBytes: 32 * mebibyte,
  },
  /** Processor time of all field templates of a source in one run: they run in the server's own process. */
  expressionsMs: 5_000,
  /** Items per transaction. */
  chunk: 100,
  /** Longer than any listing; extended with every chunk. */
  leaseSeconds: 300,
  query: { timeoutMs: 15_000, pages: 10 },
} as const satisfies { listing: ListingLimits; [name: string]: unknown };
