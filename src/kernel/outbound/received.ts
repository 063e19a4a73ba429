/** Limits of what an untrusted server may send over a plain connection. */
import type { Socket } from "node:net";
import { DeadlineExceeded } from "./deadline.ts";

export interface ReceiveLimits {
  /** Of everything received over this connection. */
  readonly maxBytes: number;
  /** The longest pause between two bytes; without it the caller sets the timeout. */
  readonly silenceMs?: number;
}

export class TooMuchReceived extends Error {
  override readonly name = "TooMuchReceived";
}

const everyMs = 20;

/**
 * Fires with the reason when a limit is exceeded; the caller then closes the connection. The counter is polled because a
 * socket under TLS emits no events of its own, while its counter goes on.
 */
export function limitReceived(
  socket: Socket,
  { maxBytes, silenceMs = Infinity }: ReceiveLimits,
): AbortSignal {
  const passed = new AbortController();
  let bytes = socket.bytesRead;
  let heardAt = performance.now();
  const timer = setInterval(() => {
    if (socket.destroyed) return clearInterval(timer);
    if (socket.bytesRead !== bytes) heardAt = performance.now();
    bytes = socket.bytesRead;
    const reason =
      bytes > maxBytes
        ? new TooMuchReceived(`the server sent more than ${maxBytes} bytes`)
        : performance.now() - heardAt > silenceMs
          ? new DeadlineExceeded(`the server said nothing for ${silenceMs / 1000} s`)
          : undefined;
    if (!reason) return;
    clearInterval(timer);
    passed.abort(reason);
  }, everyMs);
  timer.unref();
  return passed.signal;
}
