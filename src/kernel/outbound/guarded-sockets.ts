/** Plain connections to hosts that users named, under the same rule as the guarded client: public addresses only. */
import { connect, type Socket } from "node:net";
import { ConnectError, connectErrorFrom } from "./connect-error.ts";
import { answering } from "./connector.ts";
import { createGuard, type Resolve } from "./guard.ts";

export interface GuardedSockets {
  /** A connection to the very address that was checked, or a `ConnectError`. */
  open(hostname: string, port: number): Promise<Socket>;
}

export interface SocketSettings {
  /** Exceptions, each `host:port`. */
  readonly allowHosts?: readonly string[];
  readonly connectTimeoutMs?: number;
  /** The system's resolver unless given. */
  readonly resolve?: Resolve;
}

const defaultConnectTimeoutMs = 10_000;

export function createGuardedSockets({
  allowHosts = [],
  connectTimeoutMs = defaultConnectTimeoutMs,
  resolve,
}: SocketSettings = {}): GuardedSockets {
  const guard = createGuard(allowHosts, resolve);
  return {
    async open(hostname, port) {
      // The guard reads addresses of the web; which protocol is spoken makes no difference to it.
      const refusal = guard.refusal(`http://${hostname}:${port}`);
      if (refusal) throw new ConnectError("refused", refusal);
      try {
        const addresses = await guard.addressesOf(hostname.toLowerCase(), port);
        return await opened(
          connect({ host: hostname, port, lookup: answering(addresses), autoSelectFamily: true }),
          connectTimeoutMs,
        );
      } catch (error) {
        throw connectErrorFrom(error);
      }
    },
  };
}

function opened(socket: Socket, timeoutMs: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(
      () => socket.destroy(new ConnectError("timeout", `no connection within ${timeoutMs / 1000} s`)),
      timeoutMs,
    );
    socket.once("error", reject);
    socket.once("close", () => clearTimeout(late));
    socket.once("connect", () => {
      clearTimeout(late);
      socket.off("error", reject);
      resolve(socket);
    });
  });
}
