/** What a running server writes about itself into its data folder. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { codeOf } from "../errors/index.ts";
import { commandOf } from "./processes.ts";

export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  readonly ready: boolean;
}

/** The server process of this data folder, if it is alive. The file survives a crash, so the process is checked. */
export async function livePostmaster(dataFolder: string): Promise<Postmaster | undefined> {
  const lines = (await readPidFile(dataFolder))?.split("\n");
  const pid = Number(lines?.[0]);
  if (!lines || !Number.isInteger(pid) || pid <= 0 || !isServerOf(dataFolder, pid)) return undefined;
  return { pid, port: Number(lines[3]), ready: lines[7]?.trim() === "ready" };
}

/** True when the file names a process that is not our server: the system has reused its number. */
export async function hasMisleadingPidFile(dataFolder: string): Promise<boolean> {
  const pid = Number((await readPidFile(dataFolder))?.split("\n")[0]);
  return pid > 0 && commandOf(pid) !== undefined && !isServerOf(dataFolder, pid);
}

export function pidFile(dataFolder: string): string {
  return join(dataFolder, "postmaster.pid");
}

function isServerOf(dataFolder: string, pid: number): boolean {
  const command = commandOf(pid);
  return command !== undefined && /\bpostgres\b/.test(command) && command.includes(dataFolder);
}

async function readPidFile(dataFolder: string): Promise<string | undefined> {
  try {
    return await readFile(pidFile(dataFolder), "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}
