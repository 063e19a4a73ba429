/** Ends an attempt before one of a post's requests: what was sent so far is recorded, the rest is sent by the next attempt. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
  readonly retryAfterMs: number | undefined;

  constructor(why: string, retryAfterMs?: number) {
    super(why);
    this.retryAfterMs = retryAfterMs;
  }
}
