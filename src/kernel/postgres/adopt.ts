import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { answeringDataFolder } from "./ask.ts";
import type { Binaries } from "./binaries.ts";
import { livePostmaster } from "./postmaster.ts";
import { type RunningServer, type ServerPlan, serverArguments } from "./server.ts";
import { patience } from "./server-settings.ts";
import { stopServer } from "./stop.ts";

/**
 * Takes over a server that an earlier process left running when it was killed. One with other settings or other binaries, or
 * one that does not answer, is stopped instead.
 */
export async function adopt(
  plan: ServerPlan,
  password: string,
  binaries: Binaries,
): Promise<RunningServer | undefined> {
  const server = await readyPostmaster(plan.dataFolder);
  if (!server) return undefined;
  const same = await startedWith(plan, binaries, server.port);
  if (same && (await answeringDataFolder({ port: server.port, password })) === plan.dataFolder) return server;
  await stopServer(plan.dataFolder);
  return undefined;
}

/** A server that is still starting is given a moment. */
async function readyPostmaster(dataFolder: string): Promise<RunningServer | undefined> {
  const deadline = performance.now() + patience.answer;
  for (;;) {
    const server = await livePostmaster(dataFolder);
    if (!server || server.ready || performance.now() > deadline) return server;
    await delay(patience.poll);
  }
}

/** PostgreSQL keeps the command line it was started with in `postmaster.opts`. */
async function startedWith(plan: ServerPlan, binaries: Binaries, port: number): Promise<boolean> {
  if (plan.demandedPort !== undefined && plan.demandedPort !== port) return false;
  const line = await readFile(join(plan.dataFolder, "postmaster.opts"), "utf8").catch(() => "");
  const words = [binaries.postgres, ...serverArguments(plan, port).map((word) => `"${word}"`)];
  return line.trim() === words.join(" ");
}
