import { chown, mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { codeOf } from "../errors/index.ts";
import type { Binaries } from "./binaries.ts";
import { clusterVersion } from "./data-folder.ts";
import { EmbeddedPostgresError, errorInOutput } from "./errors.ts";
import { runProgram } from "./programs.ts";
import type { RunAs } from "./run-as.ts";
import { superuser } from "./server-settings.ts";

export interface NewCluster {
  readonly dataFolder: string;
  readonly password: string;
  /** False for throw-away clusters. */
  readonly durable: boolean;
}

/** Makes sure that a cluster of the right version exists. Returns true if it was created now. */
export async function ensureCluster(
  cluster: NewCluster,
  deps: { binaries: Binaries; runAs: RunAs; progress(text: string): void },
): Promise<boolean> {
  const { dataFolder } = cluster;
  const version = await clusterVersion(dataFolder);
  if (version === deps.binaries.major) return false;
  if (version !== undefined) throw otherVersion(dataFolder, version, deps.binaries.major);
  await removeHalfMade(dataFolder);
  await moveForeignAside(dataFolder, deps.progress);
  deps.progress("Creating the database");
  await createCluster(cluster, deps);
  return true;
}

/**
 * `initdb` works in a temporary folder that is renamed when it is complete, so that an interrupted run never leaves a partial
 * cluster under the real name.
 */
async function createCluster(
  { dataFolder, password, durable }: NewCluster,
  { binaries, runAs }: { binaries: Binaries; runAs: RunAs },
): Promise<void> {
  const making = await mkdtemp(`${dataFolder}.making-`);
  try {
    const passwordFile = join(making, "password");
    await writeFile(passwordFile, password, { mode: 0o600 });
    if (runAs.ids) await Promise.all([making, passwordFile].map((path) => give(path, runAs)));
    const made = join(making, "data");
    const result = await runProgram(binaries.initdb, initArguments(made, passwordFile, durable), runAs);
    if (result.status !== 0) throw initFailed(dataFolder, result.output);
    await rename(made, dataFolder);
  } finally {
    await rm(making, { recursive: true, force: true });
  }
}

function initArguments(dataFolder: string, passwordFile: string, durable: boolean): string[] {
  return [
    `--pgdata=${dataFolder}`,
    `--username=${superuser}`,
    "--auth=scram-sha-256",
    `--pwfile=${passwordFile}`,
    "--encoding=UTF8",
    // The built-in provider sorts the same on every machine; a C library's order changes with its version.
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--locale=C",
    // Full-text search still uses the C library to classify letters.
    `--lc-ctype=${process.platform === "darwin" ? "en_US.UTF-8" : "C.UTF-8"}`,
    ...(durable ? [] : ["--no-sync"]),
  ];
}

/** Removes what a killed start left. If its `initdb` still writes there, the next start removes it. */
async function removeHalfMade(dataFolder: string): Promise<void> {
  const prefix = `${basename(dataFolder)}.making-`;
  const names = await readdir(dirname(dataFolder));
  for (const name of names.filter((each) => each.startsWith(prefix)))
    await rm(join(dirname(dataFolder), name), { recursive: true, force: true }).catch(() => undefined);
}

/** A folder without PG_VERSION is not a cluster, but may hold somebody's files, so it is kept under another name. */
async function moveForeignAside(dataFolder: string, progress: (text: string) => void): Promise<void> {
  const names = await readdir(dataFolder).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  });
  if (!names) return;
  if (names.length === 0) return rm(dataFolder, { recursive: true });
  const aside = `${dataFolder}.broken-${new Date().toISOString().replaceAll(":", "-")}`;
  await rename(dataFolder, aside);
  progress(`${dataFolder} was no complete database; it is kept as ${aside}`);
}

async function give(path: string, { ids }: RunAs): Promise<void> {
  if (ids) await chown(path, ids.uid, ids.gid);
}

function otherVersion(dataFolder: string, found: string, ours: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    "other_version",
    `The data in ${dataFolder} was made by PostgreSQL ${found} and this Molva brings PostgreSQL ${ours}; run a PostgreSQL ${found} on it and set DATABASE_URL, or move the folder away to start anew.`,
  );
}

function initFailed(dataFolder: string, output: string): EmbeddedPostgresError {
  const reason = /(?:error|FATAL|PANIC):\s*(.+)/.exec(output)?.[1] ?? output.trim().split("\n").at(-1) ?? "";
  return (
    errorInOutput(output, dirname(dataFolder)) ??
    new EmbeddedPostgresError(
      "init_failed",
      `A new database could not be made in ${dataFolder} (${reason}); set MOLVA_HOME to another folder, or DATABASE_URL to a PostgreSQL of yours.`,
    )
  );
}
