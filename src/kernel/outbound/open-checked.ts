import { connect, type Socket } from "node:net";
import { ConnectError, connectErrorFrom } from "./connect-error.ts";
import { answering, defaultConnectTimeoutMs } from "./connector.ts";
import type { Guard } from "./guard.ts";

/** Connects to the very addresses that the guard checked: a second look-up could answer otherwise. */
export async function openChecked(
  hostname: string,
  port: number,
  guard: Guard,
  timeoutMs = defaultConnectTimeoutMs,
): Promise<Socket> {
  try {
    const lookup = answering(await guard.addressesOf(hostname, port));
    return await opened(connect({ host: hostname, port, lookup, autoSelectFamily: true }), timeoutMs);
  } catch (error) {
    throw connectErrorFrom(error);
  }
}

function opened(socket: Socket, timeoutMs: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(
      () => socket.destroy(new ConnectError("timeout", `no connection within ${timeoutMs} ms`)),
      timeoutMs,
    );
    socket.once("error", reject).once("connect", () => {
      clearTimeout(late);
      socket.off("error", reject);
      resolve(socket);
    });
    socket.once("close", () => clearTimeout(late));
  });
}
