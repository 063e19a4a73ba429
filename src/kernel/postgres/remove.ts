import { realpath, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { knownDataFolder } from "./data-folder.ts";
import { lockHolder } from "./lock.ts";
import { stopServer } from "./stop.ts";
import { abandonedEntries } from "./store.ts";

/** Stops a server that a dead process left running for this home and deletes its data. A home in use is left alone. */
export async function removeEmbeddedPostgres(home: string): Promise<boolean> {
  const real = await realpath(home).catch(() => undefined);
  if (real === undefined) return true;
  if ((await lockHolder(real)) !== undefined) return false;
  const dataFolder = await knownDataFolder(real);
  await stopServer(dataFolder);
  const inHome = join(real, "pg");
  await rm(dataFolder === inHome ? inHome : dirname(dataFolder), { recursive: true, force: true });
  return true;
}

/** Deletes what root stored outside of homes that no longer exist. */
export async function removeAbandoned(): Promise<void> {
  for (const { entry } of await abandonedEntries()) {
    await stopServer(join(entry, "pg"));
    await rm(entry, { recursive: true, force: true });
  }
}
