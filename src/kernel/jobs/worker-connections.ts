import { Client, type ClientConfig, Pool } from "pg";
import { createPrimary, type Primary, WatchedSocket } from "../db/index.ts";
import { messageOf } from "../errors/index.ts";
import type { Log } from "../log/index.ts";
import { databaseAddress } from "../url/index.ts";

/** How graphile-worker reaches the database; whoever made it ends it. */
export interface WorkerConnections {
  readonly options: { readonly pgPool: Pool };
  end(): Promise<void>;
}

/** Shown in pg_stat_activity, so that an operator sees who holds a connection. */
const name = "molva-jobs";
const findWithinMs = 10_000;

/**
 * A pool of our own: the worker's own one listens to no errors while it ends, so that a connection lost then would end the process.
 * Several hosts are unknown to `pg`, so its clients are made to find the primary.
 */
export function workerConnections(databaseUrl: string, max: number, log: Log): WorkerConnections {
  const address = databaseAddress(databaseUrl);
  const [first = { host: "localhost", port: 5432 }] = address?.hosts ?? [];
  const pool = new Pool({
    ...{ application_name: name, max },
    ...(address?.primaryOnly
      ? {
          connectionString: address.at(first),
          Client: clientOf(createPrimary(address, { findWithinMs })),
        }
      : { connectionString: databaseUrl }),
  });
  // Without these, a connection that is lost would end the process; whoever uses it gets the error as well.
  const lost = (error: Error) =>
    log.warn({ reason: messageOf(error) }, "a connection of the job worker was lost");
  pool.on("error", lost);
  pool.on("connect", (client) => client.on("error", lost));
  return { options: { pgPool: pool }, end: () => pool.end() };
}

/** Every new client asks for the host that takes writes, which may be another one than for the client before. */
function clientOf(primary: Primary): new (config?: ClientConfig) => Client {
  return class PrimaryClient extends Client {
    readonly #socket: WatchedSocket;

    constructor(config?: ClientConfig) {
      const socket = new WatchedSocket();
      super({ ...config, stream: () => socket });
      this.#socket = socket;
    }

    override connect(): Promise<Client>;
    override connect(callback: (error: Error) => void): void;
    override connect(callback?: (error: Error) => void): Promise<Client> | undefined {
      const connected = this.#connectToPrimary();
      if (!callback) return connected;
      const succeed = callback as () => void;
      connected.then(() => succeed(), callback);
      return undefined;
    }

    async #connectToPrimary(): Promise<Client> {
      const host = await primary.find();
      // `pg` reads them when it connects, and checks a certificate against them.
      Object.assign(this, host);
      primary.watch(this.#socket, host);
      const client = await super.connect();
      const { rows } = await client.query<{ transaction_read_only: string }>("show transaction_read_only");
      if (rows[0]?.transaction_read_only !== "on") return client;
      await client.end();
      throw new Error(`${host.host}:${host.port} takes no writes any more`);
    }
  };
}
