import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { connect } from "../../src/kernel/db/index.ts";
import { type ServerSettings, startEmbeddedPostgres } from "../../src/kernel/postgres/index.ts";
import { tempFolder } from "../../tests/support/temp-folder.ts";
import { until } from "../../tests/support/until.ts";

/** One PostgreSQL for a whole run: every contestant works on the same server, each in a database of its own. */
export interface Server {
  /** A new empty database; its address. */
  database(): Promise<string>;
  drop(url: string): Promise<void>;
  /** Writes everything to disk, so that a contestant does not pay for earlier work. */
  settle(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * As Molva starts it, fully durable, with two differences: a cache large enough for the contestants, and no checkpoint
 * during a measurement, which would be luck.
 */
const settings: ServerSettings = {
  shared_buffers: "512MB",
  max_wal_size: "8GB",
  min_wal_size: "4GB",
  checkpoint_timeout: "1h",
};

export async function startServer(extra: ServerSettings = {}): Promise<Server> {
  const home = tempFolder("bench");
  const postgres = await startEmbeddedPostgres({ home, settings: { ...settings, ...extra } });
  const admin = connect({ url: postgres.url, max: 1 });
  // A used server reuses its old log files; a new one would create them during a measurement.
  await admin`
    select count(pg_logical_emit_message(false, 'bench', repeat('m', 1000000))) from generate_series(1, 1500)`;
  await admin`checkpoint`;
  const stop = async () => {
    await admin.end();
    await postgres.stop();
    await rm(home, { recursive: true, force: true });
  };
  // The server is a separate process and would outlive us.
  process.once("SIGINT", () => void stop().finally(() => process.exit(130)));
  return {
    async database() {
      await admin`checkpoint`;
      const name = `bench_${randomBytes(5).toString("hex")}`;
      await admin.unsafe(`create database ${name}`);
      const url = new URL(postgres.url);
      url.pathname = `/${name}`;
      return url.href;
    },
    async drop(url) {
      const name = new URL(url).pathname.slice(1);
      // Some drivers report that they have closed while their connections are still closing.
      await until(`nobody is connected to ${name}`, async () => {
        const connected = await admin`select from pg_stat_activity where datname = ${name}`;
        return connected.length === 0;
      });
      await admin.unsafe(`drop database ${name}`);
    },
    async settle() {
      await admin`checkpoint`;
    },
    stop,
  };
}
