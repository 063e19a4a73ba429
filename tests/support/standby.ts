/**
 * A second PostgreSQL that follows the first and can take its place. It is served by the embedded programs unless others are named; no
 * pg_basebackup is needed.
 */
import { spawn, spawnSync } from "node:child_process";
import { openSync, readFileSync } from "node:fs";
import { appendFile, chown, mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { connect, type Sql } from "../../src/kernel/db/index.ts";
import { type Binaries, installedBinaries, runnableBinaries } from "../../src/kernel/postgres/binaries.ts";
import type { EmbeddedPostgres, ServerSettings } from "../../src/kernel/postgres/index.ts";
import { livePostmaster } from "../../src/kernel/postgres/postmaster.ts";
import { isAlive, signal } from "../../src/kernel/postgres/processes.ts";
import { programEnvironment } from "../../src/kernel/postgres/programs.ts";
import { type RunAs, whoRuns } from "../../src/kernel/postgres/run-as.ts";
import { serverArguments } from "../../src/kernel/postgres/server.ts";
import { loopbackOnly, smallMachine } from "../../src/kernel/postgres/server-settings.ts";
import { stopServer } from "../../src/kernel/postgres/stop.ts";
import { openStore } from "../../src/kernel/postgres/store.ts";
import { databaseAddress } from "../../src/kernel/url/index.ts";
import { freePorts } from "./molva.ts";
import { until } from "./until.ts";

export interface Standby {
  /** Of the standby alone. */
  readonly url: string;
  /** Of both, as libpq has it. */
  readonly bothUrl: string;
  /** From now on it takes writes. */
  promote(): Promise<void>;
  stop(): Promise<void>;
}

const name = "standby";
const startWithinMs = 60_000;

/** Follows the primary; from then on, the primary confirms nothing that the standby has not written to its disk. */
export async function startStandby(
  primary: EmbeddedPostgres,
  settings: ServerSettings,
  programs?: Binaries,
): Promise<Standby> {
  const folder = `${primary.dataFolder}-${name}`;
  const runAs = await whoRuns([primary.dataFolder]);
  const { port } = await freePorts();
  const address = databaseAddress(primary.url);
  if (!address) throw new Error("the primary has no address");
  const url = address.at({ host: "127.0.0.1", port });
  const admin = connect({ url: primary.url, max: 1, name: "standby admin" });
  try {
    await copyData(admin, primary.dataFolder, folder, runAs);
    const [first] = address.hosts;
    const source = `host=127.0.0.1 port=${first?.port} user=${address.user} password=${address.password} application_name=${name}`;
    await appendFile(join(folder, "postgresql.auto.conf"), `primary_conninfo = '${source}'\n`);
    await give(runAs, join(folder, "standby.signal"), "");
    const binaries = programs ?? (await embedded(dirname(folder), runAs));
    await launch(folder, { ...smallMachine, ...settings, ...loopbackOnly }, port, { binaries, runAs });
    await until("the standby answers", () => answers(url), startWithinMs);
    await admin.unsafe(`alter system set synchronous_standby_names = '${name}'`);
    await admin`select pg_reload_conf()`;
    const isFollowing = () => admin`select from pg_stat_replication where sync_state = 'sync'`;
    await until("the standby is synchronous", async () => (await isFollowing()).length > 0, startWithinMs);
  } catch (error) {
    await stopServer(folder);
    throw new Error(
      `${error}; the standby's log:\n${readFileSync(logOf(folder), { encoding: "utf8", flag: "a+" })}`,
    );
  } finally {
    await admin.end({ timeout: 5 });
  }
  return {
    url,
    bothUrl: `${primary.url.replace(address.shown, `${address.shown},127.0.0.1:${port}`)}?target_session_attrs=read-write`,
    async promote() {
      const keeper = connect({ url, max: 1, name: "keeper" });
      await keeper`select pg_promote()`;
      await keeper.end({ timeout: 5 });
    },
    async stop() {
      await stopServer(folder);
      await rm(folder, { recursive: true, force: true });
      await rm(logOf(folder), { force: true });
    },
  };
}

/** Ends a server and everything that belongs to it at once, as a machine that loses its power does. */
export async function killServer({ dataFolder }: EmbeddedPostgres): Promise<void> {
  const { pid } = (await livePostmaster(dataFolder)) ?? {};
  if (pid === undefined) return;
  const children = childrenOf(pid);
  for (const each of [pid, ...children]) signal(each, "SIGKILL");
  await until("the server is gone", () => [pid, ...children].every((each) => !isAlive(each)));
}

function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").map(Number).filter(Boolean);
  } catch {
    return []; // elsewhere than on Linux, they notice it themselves
  }
}

/** What pg_basebackup does. The log of changes is left out: the standby gets it from the primary. */
async function copyData(admin: Sql, from: string, to: string, runAs: RunAs): Promise<void> {
  await admin`select pg_backup_start(${name}, true)`;
  const copied = spawnSync("cp", ["-a", from, to]);
  if (copied.status !== 0) throw new Error(`the data was not copied: ${copied.stderr}`);
  const [backup] = await admin<[{ label: string }]>`select labelfile as label from pg_backup_stop(false)`;
  for (const own of ["postmaster.pid", "postmaster.opts", "pg_wal"])
    await rm(join(to, own), { recursive: true, force: true });
  for (const empty of ["pg_wal", "pg_wal/archive_status", "pg_wal/summaries"]) {
    await mkdir(join(to, empty), { mode: 0o700 });
    if (runAs.ids) await chown(join(to, empty), runAs.ids.uid, runAs.ids.gid);
  }
  await give(runAs, join(to, "backup_label"), backup.label);
}

async function give({ ids }: RunAs, file: string, text: string): Promise<void> {
  await writeFile(file, text, { mode: 0o600 });
  if (ids) await chown(file, ids.uid, ids.gid);
}

const embedded = async (home: string, runAs: RunAs): Promise<Binaries> =>
  runnableBinaries(await installedBinaries(), runAs, async () => (runAs.ids ? openStore(runAs) : home));

async function launch(
  folder: string,
  settings: ServerSettings,
  port: number,
  { binaries, runAs }: { binaries: Binaries; runAs: RunAs },
): Promise<void> {
  const log = openSync(logOf(folder), "a", 0o600);
  const plan = { home: folder, dataFolder: folder, settings };
  const child = spawn(binaries.postgres, serverArguments(plan, port), {
    ...{ ...runAs.ids, cwd: "/", env: programEnvironment, detached: true },
    stdio: ["ignore", log, log],
  });
  await new Promise<void>((resolve, reject) => child.once("spawn", resolve).once("error", reject));
  child.unref();
}

const logOf = (folder: string) => `${folder}.log`;

async function answers(url: string): Promise<boolean> {
  const sql = connect({ url, max: 1 });
  try {
    return (await sql`select from pg_database`).length > 0;
  } catch {
    return false;
  } finally {
    await sql.end({ timeout: 1 });
  }
}
