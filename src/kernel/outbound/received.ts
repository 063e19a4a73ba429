/** What a stranger's server may send over a plain connection, and how long it may say nothing. */
import type { Socket } from "node:net";
import { DeadlineExceeded } from "./deadline.ts";

export interface ReceiveLimits {
  /** Of everything that comes in over this connection. */
  readonly maxBytes: number;
  /** The longest pause between two bytes; without it the caller watches the time. */
  readonly silenceMs?: number;
}

export class TooMuchReceived extends Error {
  override readonly name = "TooMuchReceived";
}

const everyMs = 20;

/**
 * Fires when a limit is passed, with the reason; who opened the connection closes it then. The counter is polled because a
 * socket that TLS has taken over gives no events of its own, while its counter goes on.
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
    const fault =
      bytes > maxBytes
        ? new TooMuchReceived(`the server sent more than ${maxBytes} bytes`)
        : performance.now() - heardAt > silenceMs
          ? new DeadlineExceeded(`the server said nothing for ${silenceMs / 1000} s`)
          : undefined;
    if (!fault) return;
    clearInterval(timer);
    passed.abort(fault);
  }, everyMs);
  timer.unref();
  return passed.signal;
}
