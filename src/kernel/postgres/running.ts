import { realpath } from "node:fs/promises";
import { readAccess } from "./access.ts";
import { answeringDataFolder, urlOf } from "./ask.ts";
import { knownDataFolder } from "./data-folder.ts";
import { livePostmaster } from "./postmaster.ts";

/** The address of the PostgreSQL that already runs for this home: for commands used while Molva runs. */
export async function runningPostgresUrl(home: string): Promise<string | undefined> {
  const real = await realpath(home).catch(() => undefined);
  const access = real === undefined ? undefined : await readAccess(real);
  if (real === undefined || !access) return undefined;
  const dataFolder = await knownDataFolder(real);
  const server = await livePostmaster(dataFolder);
  if (!server) return undefined;
  const address = { port: server.port, password: access.password };
  return (await answeringDataFolder(address)) === dataFolder ? urlOf(address) : undefined;
}
