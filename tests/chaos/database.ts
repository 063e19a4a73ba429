import { rm } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { connect, type Sql } from "../../src/kernel/db/index.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../src/kernel/postgres/index.ts";
import { livePostmaster } from "../../src/kernel/postgres/postmaster.ts";
import { killServer, type Standby, startStandby } from "../support/standby.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { eventually, until } from "../support/until.ts";
import { type SmallDisk, smallDisk } from "./small-disk.ts";

/** A PostgreSQL of the storm's own, which it may end and start again. */
export interface Database {
  readonly url: string;
  restart(): Promise<void>;
  /** Kills it without a warning, as a machine that loses its power does, and starts it again. */
  crash(): Promise<void>;
  /** Ends half of the processes' connections and takes every one that is free or becomes free, until the returned function is called. */
  useUp(): Promise<() => Promise<void>>;
  /** Fills its disk, until the returned function is called; it is started again if it has given up. */
  fillDisk(): Promise<() => Promise<void>>;
  /** Kills it for good, as a machine that is lost does, and promotes the standby. */
  losePrimary(): Promise<void>;
  /** When that happened. */
  readonly takeover: Takeover | undefined;
  /** Ends about half of all connections that the processes have, from the server's side. */
  terminate(): Promise<void>;
  stop(): Promise<void>;
}

/** Milliseconds since 1970. */
export interface Takeover {
  readonly killedAt: number;
  readonly promotedAt: number;
}

const maxConnections = 200;
const recoverWithinMs = 120_000;
/** Between two tries to take the connections that others have given back. */
const takeEveryMs = 200;

export async function startDatabase({ onSmallDisk = false, withStandby = false } = {}): Promise<Database> {
  const home = tempFolder("chaos-postgres");
  const disk: SmallDisk | undefined = onSmallDisk ? smallDisk(home) : undefined;
  const settings = { max_connections: maxConnections };
  const start = () => startEmbeddedPostgres({ home, settings });
  let server: EmbeddedPostgres = await start();
  const standby: Standby | undefined = withStandby ? await startStandby(server, settings) : undefined;
  let takeover: Takeover | undefined;
  if (disk && !server.dataFolder.startsWith(home))
    throw new Error("PostgreSQL keeps its data on another disk");
  // Processes of a killed server take a moment to end, and recovery takes longer than a start.
  const startAgain = async () => {
    await server.stop();
    server = await eventually(
      () => start().catch(() => undefined),
      (started) => started !== undefined,
      { what: "PostgreSQL starts again", within: recoverWithinMs },
    );
  };
  return {
    get url() {
      return standby?.bothUrl ?? server.url;
    },
    get takeover() {
      return takeover;
    },
    async restart() {
      await server.stop();
      server = await start();
    },
    async crash() {
      const { dataFolder } = server;
      const { pid } = (await livePostmaster(dataFolder)) ?? {};
      if (pid !== undefined) process.kill(pid, "SIGKILL");
      await until("PostgreSQL is gone", async () => (await livePostmaster(dataFolder)) === undefined);
      await startAgain();
    },
    async useUp() {
      const { url } = server;
      const taken = [await takeOne(url)];
      let taking = true;
      const take = async () => {
        while (taking) {
          const one = await takeOne(url);
          if (one) taken.push(one);
          else await delay(takeEveryMs);
        }
      };
      const hands = Promise.all([take(), take(), take()]);
      // What the processes lose now, they do not get back.
      if (taken[0]) await endHalf(taken[0]);
      return async () => {
        taking = false;
        await hands;
        await Promise.all(taken.map((each) => each?.end({ timeout: 1 })));
      };
    },
    async fillDisk() {
      if (!disk) throw new Error("this PostgreSQL is on no disk of its own");
      disk.fill();
      return async () => {
        disk.free();
        const answer = await takeOne(server.url);
        await answer?.end({ timeout: 1 });
        if (!answer) await startAgain();
      };
    },
    async losePrimary() {
      if (!standby) throw new Error("this PostgreSQL has no standby");
      const killedAt = Date.now();
      await killServer(server);
      await standby.promote();
      takeover = { killedAt, promotedAt: Date.now() };
    },
    async terminate() {
      const admin = connect({ url: server.url, max: 1, name: "chaos admin" });
      try {
        await endHalf(admin);
      } finally {
        await admin.end({ timeout: 5 });
      }
    },
    async stop() {
      await standby?.stop();
      await server.stop();
      disk?.remove();
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** A connection of its own, or undefined if there is none to be had. */
async function takeOne(url: string): Promise<Sql | undefined> {
  const sql = connect({ url, max: 1, name: "chaos greed" });
  try {
    await sql`select`;
    return sql;
  } catch {
    await sql.end({ timeout: 1 });
    return undefined;
  }
}

const endHalf = (admin: Sql) => admin`
  select pg_terminate_backend(pid) from pg_stat_activity
  where application_name like 'molva %' and random() < 0.5`;
