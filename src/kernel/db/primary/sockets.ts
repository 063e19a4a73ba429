import { Socket } from "node:net";

/** Tells of its end even after the driver has removed every listener, as it does before TLS. */
export class WatchedSocket extends Socket {
  onGone: () => void = () => undefined;

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.onGone();
    super._destroy(error, done);
  }
}

/** Fails at the first write. The driver forgets a connection for which it gets no socket at all. */
export class UnreachedSocket extends Socket {
  readonly #why: Error;

  constructor(why: unknown) {
    super();
    this.#why = why instanceof Error ? why : new Error(String(why));
  }

  override _write(_chunk: unknown, _encoding: BufferEncoding, done: (error: Error) => void): void {
    done(this.#why);
  }
}
