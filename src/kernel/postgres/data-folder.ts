import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { codeOf } from "../errors/index.ts";
import { EmbeddedPostgresError } from "./errors.ts";
import { canEnter, type RunAs } from "./run-as.ts";
import { newEntry, openStore, storedEntry } from "./store.ts";

/** Where the cluster of `home` is or would be. Creates nothing. */
export async function knownDataFolder(home: string): Promise<string> {
  const entry = process.getuid?.() === 0 ? await storedEntry(home) : undefined;
  return join(entry ?? home, "pg");
}

/** The folder for the cluster of `home`: in `home` itself if `runAs` has access to it. */
export async function chooseDataFolder(home: string, runAs: RunAs): Promise<string> {
  const known = await knownDataFolder(home);
  const inHome = join(home, "pg");
  if (!runAs.ids || known !== inHome) return known;
  if (canEnter(runAs, home)) return inHome;
  if ((await clusterVersion(inHome)) === undefined)
    return join(await newEntry(await openStore(runAs), home), "pg");
  throw new EmbeddedPostgresError(
    "no_permission",
    `PostgreSQL runs as “${runAs.name}”, which can no longer enter ${home}; allow it with “chmod o+x” on that folder and those above it, or set MOLVA_HOME to another folder to start anew.`,
  );
}

/** The major version that made the cluster, or undefined when there is no cluster. */
export async function clusterVersion(dataFolder: string): Promise<string | undefined> {
  try {
    return (await readFile(join(dataFolder, "PG_VERSION"), "utf8")).trim();
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}
