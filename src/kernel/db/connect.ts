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
  /** Opens the connection in place of the driver, which reaches any address it is given. */
  openSocket?: (hostname: string, port: number) => Promise<Socket>;
}

export function connect({ url, max = 10, name = "molva", onNotice, openSocket }: Connection): Sql {
  return postgres(url, {
    max,
    idle_timeout: 60,
    connect_timeout: 10,
    // bigint counters come back as numbers: none of ours passes 2^53.
    types: { bigint: { to: 20, from: [20], parse: Number, serialize: String } },
    connection: { application_name: name },
    onnotice: (notice) => onNotice?.(notice.message ?? ""),
    ...(openSocket && { socket: socketOpener(openSocket) }),
  }) as unknown as Sql;
}

/** The driver hands over the address as it understood it, so that no second reading of the URL can differ. */
function socketOpener(open: (hostname: string, port: number) => Promise<Socket>) {
  return async ({ host: [hostname = ""], port: [port = 0] }: { host: string[]; port: number[] }) =>
    // The driver takes the name that a certificate must carry from here.
    Object.assign(await open(hostname, port), { host: hostname });
}
