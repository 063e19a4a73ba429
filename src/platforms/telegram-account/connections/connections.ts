import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import type { AccountRef } from "../contract.ts";
import type { SessionId, SessionStore } from "../session-store.ts";

/** One open connection per account and process, and one process per account. */
export interface Connections<C> {
  /** Runs the work with the account's connection, and opens it if needed. Throws `CannotOpen`. */
  use<T>(account: AccountRef, work: (connection: C) => Promise<T>): Promise<T>;
  /**
   * Keeps the account's connection open between uses. The returned function releases it; the last release closes the
   * connection.
   */
  hold(account: SessionId): () => Promise<void>;
  /** Closes the account's connection, even if it is in use. */
  drop(account: SessionId): Promise<void>;
  close(): Promise<void>;
}

export interface ConnectionSettings {
  /** How long a process that died blocks an account for others. */
  readonly leaseMs: number;
  readonly heartbeatMs: number;
  /** How long to wait for an account that another process has open. */
  readonly waitMs: number;
  /** Closes a connection that has been unused for this long. */
  readonly idleMs: number;
}

export const connectionDefaults: ConnectionSettings = {
  leaseMs: 15_000,
  heartbeatMs: 4_000,
  waitMs: 20_000,
  idleMs: 10 * 60_000,
};

export interface ConnectionsDeps<C> extends Partial<ConnectionSettings> {
  readonly sessions: SessionStore;
  open(account: AccountRef): Promise<C>;
  shut(connection: C): Promise<void>;
  /** Receives errors of connections that are not in use. */
  onError?(error: unknown): void;
}

/** The account cannot be opened now: another process has it, or its proxy cannot be reached. */
export class CannotOpen extends Error {
  override readonly name = "CannotOpen";
}

interface Place<C> {
  readonly account: AccountRef;
  /** Opening, open, or failed to open. */
  connection: Promise<C>;
  users: number;
  usedAt: number;
  leasedUntil: number;
  wanted: boolean;
}

const pollMs = 200;

export function createConnections<C>(deps: ConnectionsDeps<C>): Connections<C> {
  const settings = { ...connectionDefaults, ...deps };
  const leases = deps.sessions.leases(`${hostname()} ${process.pid} ${randomUUID()}`, settings.leaseMs);
  const places = new Map<string, Place<C>>();
  const closing = new Map<string, Promise<void>>();
  const holds = new Map<string, number>();
  let heart: NodeJS.Timeout | undefined;
  let closed = false;

  async function use<T>(account: AccountRef, work: (connection: C) => Promise<T>): Promise<T> {
    const place = await takePlace(account);
    try {
      return await work(await place.connection);
    } finally {
      place.users -= 1;
      place.usedAt = performance.now();
      const held = holds.has(keyOf(account));
      if (place.users === 0 && (place.wanted || !held)) await drop(place);
    }
  }

  /** Counts the user before any await, so that the connection is not closed while in use. */
  async function takePlace(account: AccountRef): Promise<Place<C>> {
    const key = keyOf(account);
    for (;;) {
      if (closed) throw new CannotOpen("the accounts are being closed");
      await closing.get(key);
      const known = places.get(key);
      if (!known) break;
      const isLeased = performance.now() < known.leasedUntil;
      if (isLeased && (known.users > 0 || looksSame(known.account, account))) {
        known.users += 1;
        return known;
      }
      await drop(known);
    }
    const leasedUntil = performance.now() + settings.leaseMs;
    const place: Place<C> = {
      account,
      connection: leased(account).then(() => {
        place.leasedUntil = performance.now() + settings.leaseMs;
        return deps.open(account);
      }),
      users: 1,
      usedAt: performance.now(),
      // Time spent waiting for the lease does not count against it.
      leasedUntil: leasedUntil + settings.waitMs,
      wanted: false,
    };
    places.set(key, place);
    heart ??= setInterval(() => void beat(), settings.heartbeatMs).unref();
    place.connection.catch(() => drop(place));
    return place;
  }

  async function leased(account: AccountRef): Promise<void> {
    const until = performance.now() + settings.waitMs;
    while (!(await leases.take(account))) {
      if (closed || performance.now() > until) throw new CannotOpen("the account is open in another process");
      await pause(pollMs);
    }
  }

  /** Renews the leases, and closes connections that are wanted by another process, long unused, or lost. */
  async function beat(): Promise<void> {
    const before = performance.now();
    try {
      const kept = new Map((await leases.renew()).map((row) => [keyOf(row), row.wanted]));
      for (const [key, place] of places) {
        const wanted = kept.get(key);
        if (wanted !== undefined) place.leasedUntil = before + settings.leaseMs;
        place.wanted ||= wanted === true;
        const idle = before - place.usedAt > settings.idleMs;
        const lost = before > place.leasedUntil;
        if (lost || (place.users === 0 && (place.wanted || idle))) await drop(place);
      }
    } catch (error) {
      // The database is unavailable: leases expire by themselves, and `takePlace` checks that.
      deps.onError?.(error);
    }
  }

  function drop(place: Place<C>): Promise<void> {
    const key = keyOf(place.account);
    if (places.get(key) !== place) return closing.get(key) ?? Promise.resolve();
    places.delete(key);
    const ended = shutDown(place).finally(() => {
      if (closing.get(key) === ended) closing.delete(key);
    });
    closing.set(key, ended);
    return ended;
  }

  async function shutDown({ account, connection }: Place<C>): Promise<void> {
    try {
      const open = await connection.catch(() => undefined);
      if (open !== undefined) await deps.shut(open);
    } catch (error) {
      deps.onError?.(error);
    }
    await leases.free(account).catch((error: unknown) => deps.onError?.(error));
  }

  return {
    use,
    hold(account) {
      const key = keyOf(account);
      holds.set(key, (holds.get(key) ?? 0) + 1);
      let held = true;
      return async () => {
        if (!held) return;
        held = false;
        const left = (holds.get(key) ?? 1) - 1;
        if (left > 0) return void holds.set(key, left);
        holds.delete(key);
        const place = places.get(key);
        if (place?.users === 0) await drop(place);
        else await closing.get(key);
      };
    },
    async drop(account) {
      const key = keyOf(account);
      const place = places.get(key);
      await (place ? drop(place) : closing.get(key));
    },
    async close() {
      closed = true;
      clearInterval(heart);
      await Promise.all([...places.values()].map(drop));
      await Promise.all(closing.values());
    },
  };
}

/** A changed proxy or device applies from the next connection on. */
function looksSame(one: AccountRef, other: AccountRef): boolean {
  return (
    one.proxy === other.proxy &&
    Object.entries(one.device).every(([name, value]) =>
      Object.entries(other.device).some(([same, also]) => same === name && also === value),
    )
  );
}

const keyOf = ({ workspaceId, accountId }: SessionId) => `${workspaceId} ${accountId}`;
