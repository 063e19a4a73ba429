import { rm } from "node:fs/promises";
import { connect } from "../../src/kernel/db/index.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../src/kernel/postgres/index.ts";
import { tempFolder } from "../support/temp-folder.ts";

/** A PostgreSQL of the storm's own, which it may end and start again. */
export interface Database {
  readonly url: string;
  restart(): Promise<void>;
  /** Ends about half of all connections that the processes have, from the server's side. */
  terminate(): Promise<void>;
  stop(): Promise<void>;
}

export async function startDatabase(): Promise<Database> {
  const home = tempFolder("chaos-postgres");
  const start = () => startEmbeddedPostgres({ home, settings: { max_connections: 200 } });
  let server: EmbeddedPostgres = await start();
  return {
    get url() {
      return server.url;
    },
    async restart() {
      await server.stop();
      server = await start();
    },
    async terminate() {
      const admin = connect({ url: server.url, max: 1, name: "chaos admin" });
      try {
        await admin`
          select pg_terminate_backend(pid) from pg_stat_activity
          where application_name like 'molva %' and random() < 0.5`;
      } finally {
        await admin.end({ timeout: 5 });
      }
    },
    async stop() {
      await server.stop();
      await rm(home, { recursive: true, force: true });
    },
  };
}
