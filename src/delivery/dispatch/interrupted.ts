/** Ends an attempt before a request of a post: what was sent so far is on record, the rest waits for the next attempt. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
  readonly retryAfterMs: number | undefined;

  constructor(why: string, retryAfterMs?: number) {
    super(why);
    this.retryAfterMs = retryAfterMs;
  }
}
