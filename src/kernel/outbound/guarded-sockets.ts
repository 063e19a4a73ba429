/** Plain TCP connections to hosts from users, with the same rule as the guarded client: public addresses only. */
import type { Socket } from "node:net";
import { ConnectError, connectErrorFrom } from "./connect-error.ts";
import { answering } from "./connector.ts";
import { DeadlineExceeded, untilAborted, withDeadline } from "./deadline.ts";
import { createGuard, type Resolve } from "./guard.ts";
import { openSocket } from "./open-socket.ts";

export interface GuardedSockets {
  /** Connects to the address that was checked, or throws `ConnectError`. */
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
      // The guard takes URLs; the scheme makes no difference to it.
      const refusal = guard.refusal(`http://${hostname}:${port}`);
      if (refusal) throw new ConnectError("refused", refusal);
      try {
        // The timeout covers DNS too: a name server may not answer either.
        return await withDeadline(connectTimeoutMs, undefined, async (signal) => {
          const addresses = await untilAborted(guard.addressesOf(hostname.toLowerCase(), port), signal);
          return openSocket({ host: hostname, port, lookup: answering(addresses) }, signal);
        });
      } catch (error) {
        if (error instanceof DeadlineExceeded)
          throw new ConnectError("timeout", `no connection within ${connectTimeoutMs / 1000} s`);
        throw connectErrorFrom(error);
      }
    },
  };
}
