import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import postgres from "postgres";
import type { DatabaseAddress, DatabaseHost } from "../../url/index.ts";
import { askHosts } from "./ask-host.ts";
import { type HostAnswer, mayBecomePrimary, NoPrimaryError, primariesAmong } from "./choose-primary.ts";
import { UnreachedSocket, WatchedSocket } from "./sockets.ts";
import { type Timelines, timelinesHere } from "./timelines.ts";

/**
 * Finds the host that takes writes among several, again whenever a connection is lost. The driver's own way is not used: it lets
 * a standby of PostgreSQL 14 or newer pass as `read-write`, and tries hosts that refuse without a pause and without an end.
 */
export interface Primary {
  find(): Promise<DatabaseHost>;
  /** Ends the socket when another host takes over, even if its own is silent. */
  watch(socket: WatchedSocket, host: DatabaseHost): void;
  /** A socket to the host that takes writes. Never rejects: a failure comes by the socket. */
  connect(): Promise<Socket>;
}

export interface PrimaryTimes {
  /** For how long a standby is asked again whether it was promoted. */
  readonly findWithinMs: number;
  /** How often hosts are asked while there are connections: a machine that is gone ends none of them. */
  readonly watchEveryMs?: number;
}

const askAgainMs = 200;
/** How long others may still answer after a host was found, because an old primary may have been the first to answer. */
const graceMs = 300;
const defaultWatchEveryMs = 5_000;

export function createPrimary(
  address: DatabaseAddress,
  { findWithinMs, watchEveryMs = defaultWatchEveryMs }: PrimaryTimes,
  timelines: Timelines = timelinesHere,
): Primary {
  const sockets = new Map<Socket, DatabaseHost>();
  let current: DatabaseHost | undefined;
  let finding: Promise<DatabaseHost> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isLooking = false;

  function take(answers: readonly HostAnswer[]): DatabaseHost[] {
    const found = primariesAmong(answers, timelines.seen);
    const hosts = found.map(({ host }) => host);
    if (!found[0]) return [];
    for (const { system, timeline } of found) timelines.note(system, timeline);
    if (!current || !hosts.includes(current)) current = address.hosts.find((host) => hosts.includes(host));
    return hosts;
  }

  async function search(): Promise<DatabaseHost> {
    const deadline = performance.now() + findWithinMs;
    for (;;) {
      const answers = await askHosts(address, graceMs);
      take(answers);
      if (current) return current;
      if (!answers.some(mayBecomePrimary) || performance.now() > deadline) throw refusalIn(answers);
      await delay(askAgainMs);
    }
  }

  async function find(): Promise<DatabaseHost> {
    if (current) return current;
    finding ??= search().finally(() => {
      finding = undefined;
    });
    return finding;
  }

  /** Ends the connections to hosts that take no writes any more. */
  async function look(): Promise<void> {
    if (sockets.size === 0) {
      clearInterval(timer);
      timer = undefined;
      return;
    }
    if (isLooking) return;
    isLooking = true;
    const found = take(await askHosts(address));
    isLooking = false;
    if (found.length === 0) return;
    for (const [socket, host] of sockets)
      if (!found.includes(host))
        socket.destroy(new Error(`${host.host}:${host.port} takes no writes any more`));
  }

  function watch(socket: WatchedSocket, host: DatabaseHost): void {
    socket.onGone = () => {
      sockets.delete(socket);
      if (current === host) current = undefined;
    };
    sockets.set(socket, host);
    timer ??= setInterval(() => void look(), watchEveryMs).unref();
  }

  return {
    ...{ find, watch },
    async connect() {
      try {
        const host = await find();
        const socket = new WatchedSocket();
        watch(socket, host);
        // TLS checks the certificate against `host`.
        return Object.assign(socket.connect(host.port, host.host), { host: host.host });
      } catch (error) {
        return new UnreachedSocket(error);
      }
    },
  };
}

/** A host that answered and refuses (a wrong password, no such database) says more than the others' silence. */
function refusalIn(answers: readonly HostAnswer[]): unknown {
  const errors = answers.flatMap((answer) => (answer.kind === "failed" ? [answer.error] : []));
  return errors.find((error) => error instanceof postgres.PostgresError) ?? new NoPrimaryError(answers);
}
