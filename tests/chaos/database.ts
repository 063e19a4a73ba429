import { rm } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { connect, type Sql } from "../../src/kernel/db/index.ts";
import { installedBinaries } from "../../src/kernel/postgres/binaries.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../src/kernel/postgres/index.ts";
import { livePostmaster } from "../../src/kernel/postgres/postmaster.ts";
import { killServer, type Standby, startStandby } from "../support/standby.ts";
import { startSystemPostgres, systemPostgres } from "../support/system-postgres.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { eventually, until } from "../support/until.ts";
import { letTimeMove, moveTime, timeMovedBy } from "./moved-time.ts";
import type { Random } from "./random.ts";
import { type SmallDisk, smallDisk } from "./small-disk.ts";

/** A PostgreSQL of the storm's own, which it may end and start again. */
export interface Database {
  readonly url: string;
  /** Whose it is and which version. */
  readonly program: string;
  restart(): Promise<void>;
  /** Kills it without a warning, as a machine that loses its power does, and starts it again. */
  crash(): Promise<void>;
  /**
   * Ends half of the processes' connections and takes every one that is free or becomes free, until the returned function is called.
   * Resolves when somebody is refused.
   */
  useUp(random: Random): Promise<() => Promise<void>>;
  /** Fills its disk, until the returned function is called; it is started again if it has given up. */
  fillDisk(): Promise<() => Promise<void>>;
  /** Sets the clock of its machine: so many seconds before or after the true time. Resolves when the database goes by it. */
  moveClock(seconds: number): Promise<void>;
  /** Kills it for good, as a machine that is lost does, and promotes the standby. */
  losePrimary(): Promise<void>;
  /** When that happened. */
  readonly takeover: Takeover | undefined;
  /** Ends about half of all connections that the processes have, from the server's side. */
  terminate(random: Random): Promise<void>;
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

export async function startDatabase({
  onSmallDisk = false,
  withStandby = false,
  withMovableTime = false,
} = {}): Promise<Database> {
  const home = tempFolder("chaos-postgres");
  const disk: SmallDisk | undefined = onSmallDisk ? smallDisk(home) : undefined;
  const settings = { max_connections: maxConnections };
  const start = () => startEmbeddedPostgres({ home, settings });
  // Both of a pair are the system's own, where it has one: it is what most installations with a standby run.
  const ofSystem = withStandby ? systemPostgres() : undefined;
  let server: EmbeddedPostgres = ofSystem
    ? await startSystemPostgres(ofSystem, { home, settings })
    : await start();
  const standby: Standby | undefined = withStandby
    ? await startStandby(server, settings, ofSystem)
    : undefined;
  let takeover: Takeover | undefined;
  if (withMovableTime) await asAdmin(server.url, letTimeMove);
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
  const version = ofSystem?.version ?? (await installedBinaries()).version;
  return {
    program: `PostgreSQL ${version}, ${ofSystem ? "this system's own" : withStandby ? "the embedded one, because this system has none" : "the embedded one"}`,
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
      if (pid === undefined) throw new Error("PostgreSQL was not running, so it was not killed");
      process.kill(pid, "SIGKILL");
      await until("PostgreSQL is gone", async () => (await livePostmaster(dataFolder)) === undefined);
      await startAgain();
    },
    async useUp(random) {
      const { url } = server;
      const taken = [await takeOne(url)];
      let taking = true;
      let refused = false;
      const take = async () => {
        while (taking) {
          const one = await takeOne(url);
          if (one) taken.push(one);
          else {
            refused = true;
            await delay(takeEveryMs);
          }
        }
      };
      const hands = Promise.all([take(), take(), take()]);
      // What the processes lose now, they do not get back.
      if (taken[0]) await endHalf(taken[0], random);
      await until("no connection is to be had", () => refused);
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
    moveClock: (seconds) =>
      asAdmin(server.url, async (admin) => {
        await moveTime(admin, seconds);
        await until("the database's clock is set", async () => (await timeMovedBy(admin)) === seconds);
      }),
    async losePrimary() {
      if (!standby) throw new Error("this PostgreSQL has no standby");
      const killedAt = Date.now();
      await killServer(server);
      await standby.promote();
      takeover = { killedAt, promotedAt: Date.now() };
    },
    terminate: (random) => asAdmin(server.url, (admin) => endHalf(admin, random)),
    async stop() {
      await standby?.stop();
      await server.stop();
      disk?.remove();
      await rm(home, { recursive: true, force: true });
    },
  };
}

async function asAdmin(url: string, act: (admin: Sql) => Promise<void>): Promise<void> {
  const admin = connect({ url, max: 1, name: "chaos admin" });
  try {
    await act(admin);
  } finally {
    await admin.end({ timeout: 5 });
  }
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

/** Which half, the seed says: of the processes' connections in the order in which they were opened. */
async function endHalf(admin: Sql, random: Random): Promise<void> {
  const open = await admin<{ pid: number }[]>`
    select pid from pg_stat_activity where application_name like 'molva %' order by backend_start, pid`;
  const chosen = open.filter(() => random.next() < 0.5).map(({ pid }) => pid);
  await admin`select pg_terminate_backend(pid) from unnest(${chosen}::int[]) as ended (pid)`;
}
