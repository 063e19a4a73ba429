import type { Socket } from "node:net";
import postgres from "postgres";

/** A pool of connections; `sql` runs a query, `sql.begin` a transaction. */
export type Sql = postgres.Sql;
export type Transaction = postgres.TransactionSql;

export interface Connection {
  url: string;
  max?: number;
  /** Shown in pg_stat_activity, so that an operator sees who holds a connection. */
  name?: string;
  onNotice?: (message: string) => void;
  /** An open connection to speak over instead of making one. */
  socket?: Socket;
}

export function connect({ url, max = 10, name = "molva", onNotice, socket }: Connection): Sql {
  return postgres(url, {
    max,
    // `host` is what TLS asks the certificate for.
    ...(socket && { socket: () => Object.assign(socket, { host: new URL(url).hostname }) }),
    idle_timeout: 60,
    connect_timeout: 10,
    // bigint counters come back as numbers: none of ours passes 2^53.
    types: { bigint: { to: 20, from: [20], parse: Number, serialize: String } },
    connection: { application_name: name },
    onnotice: (notice) => onNotice?.(notice.message ?? ""),
  }) as unknown as Sql;
}
