import type { Socket } from "node:net";
import postgres from "postgres";
import { type DatabaseAddress, databaseAddress } from "../url/index.ts";
import { createPrimary } from "./primary/index.ts";

/** A pool of connections; `sql` runs a query, `sql.begin` a transaction. */
export type Sql = postgres.Sql;
export type Transaction = postgres.TransactionSql;

export interface Connection {
  /** With several hosts, each connection goes to the one that takes writes. */
  url: string;
  max?: number;
  /** Shown in pg_stat_activity, so that an operator sees who holds a connection. */
  name?: string;
  onNotice?: (message: string) => void;
  /** By the wall clock: a process that is busy itself for as long sees its connection time out. */
  connectTimeoutSeconds?: number;
  /** An open connection to somebody else's server, used instead of opening one. */
  socket?: Socket;
}

export function connect({
  url,
  max = 10,
  name = "molva",
  onNotice,
  connectTimeoutSeconds = 10,
  socket,
}: Connection): Sql {
  const address = socket ? undefined : databaseAddress(url);
  const hosts = address?.primaryOnly ? throughPrimary(address, connectTimeoutSeconds) : undefined;
  return postgres(hosts?.url ?? url, {
    max,
    ...(socket && strangers(new URL(url), socket)),
    ...hosts?.options,
    idle_timeout: 60,
    connect_timeout: connectTimeoutSeconds,
    // bigint counters come back as numbers: none of ours passes 2^53.
    types: { bigint: { to: 20, from: [20], parse: Number, serialize: String } },
    connection: { application_name: name },
    onnotice: (notice) => onNotice?.(notice.message ?? ""),
  }) as unknown as Sql;
}

/**
 * One more connection to the same server, for state that lives as long as its connection (locks, LISTEN). It is never closed
 * for being old or idle, and reconnects at once when it is lost.
 */
export function lastingConnection(sql: Sql): Sql {
  return postgres({
    ...sql.options,
    max: 1,
    idle_timeout: 0,
    max_lifetime: null,
    connect_timeout: 5,
    backoff: () => 0.2,
  } as unknown as postgres.Options<Record<string, postgres.PostgresType>>) as unknown as Sql;
}

function throughPrimary(address: DatabaseAddress, connectTimeoutSeconds: number) {
  const primary = createPrimary(address, { findWithinMs: connectTimeoutSeconds * 1_000 });
  const [first = { host: "localhost", port: 5432 }] = address.hosts;
  return {
    url: address.at(first),
    options: {
      socket: () => primary.connect(),
      // A host may have become a standby since it was asked.
      target_session_attrs: "primary" as const,
      // The search has pauses of its own; the driver's would grow to twenty seconds.
      backoff: () => 0.2,
    },
  };
}

function strangers({ hostname, password }: URL, socket: Socket) {
  return {
    // TLS checks the certificate against `host`.
    socket: () => Object.assign(socket, { host: hostname }),
    // A function, because for a blank password the driver would send our PGPASSWORD to a stranger's server.
    password: () => decodeURIComponent(password),
  };
}
