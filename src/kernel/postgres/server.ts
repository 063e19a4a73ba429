import { spawn } from "node:child_process";
import { open, readFile, rename, rm, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Binaries } from "./binaries.ts";
import { EmbeddedPostgresError, errorInOutput } from "./errors.ts";
import { giveToOwnerOf } from "./ownership.ts";
import { hasMisleadingPidFile, livePostmaster, pidFile } from "./postmaster.ts";
import { isAlive } from "./processes.ts";
import { programEnvironment } from "./programs.ts";
import type { RunAs } from "./run-as.ts";
import { logBytes, patience, portTries, type ServerSettings } from "./server-settings.ts";

export interface ServerPlan {
  readonly home: string;
  readonly dataFolder: string;
  readonly settings: ServerSettings;
  /** Only this port. */
  readonly demandedPort?: number;
  /** This port if it is still free, else another. */
  readonly rememberedPort?: number;
}

export interface RunningServer {
  readonly pid: number;
  readonly port: number;
}

/** Starts the server on a free port and waits until it takes connections. */
export async function launch(
  plan: ServerPlan,
  deps: { binaries: Binaries; runAs: RunAs },
): Promise<RunningServer> {
  if (await hasMisleadingPidFile(plan.dataFolder)) await rm(pidFile(plan.dataFolder), { force: true });
  for (let tried = 1; ; tried++) {
    const port = await choosePort(plan);
    const outcome = await tryLaunch(plan, port, deps);
    if (outcome.kind === "ready") return { pid: outcome.pid, port };
    if (!/could not bind|Address already in use/.test(outcome.output))
      throw startFailed(plan, outcome.output);
    if (plan.demandedPort !== undefined || tried === portTries) throw portBusy(port);
  }
}

/** The command-line arguments; equal arguments mean an equal server. */
export function serverArguments(plan: ServerPlan, port: number): string[] {
  const settings = Object.entries({ ...plan.settings, port });
  return ["-D", plan.dataFolder, ...settings.flatMap(([name, value]) => ["-c", `${name}=${value}`])];
}

export function serverLog(home: string): string {
  return join(home, "postgres.log");
}

type LaunchOutcome = { kind: "ready"; pid: number } | { kind: "ended"; output: string };

async function tryLaunch(
  plan: ServerPlan,
  port: number,
  { binaries, runAs }: { binaries: Binaries; runAs: RunAs },
): Promise<LaunchOutcome> {
  const log = await openLog(plan.home);
  const child = spawn(binaries.postgres, serverArguments(plan, port), {
    ...runAs.ids,
    cwd: "/",
    env: programEnvironment,
    // A process group of its own: Ctrl-C in a terminal reaches only us, and we stop the server after everything else.
    detached: true,
    stdio: ["ignore", log.handle.fd, log.handle.fd],
  });
  try {
    await new Promise<void>((resolve, reject) => child.once("spawn", resolve).once("error", reject));
    child.unref();
    const pid = child.pid ?? 0;
    if (await becomesReady(plan.dataFolder, pid)) return { kind: "ready", pid };
    child.kill("SIGQUIT");
    const text = await readFile(log.path, "utf8");
    return { kind: "ended", output: text.slice(log.size) };
  } finally {
    await log.handle.close();
  }
}

async function becomesReady(dataFolder: string, pid: number): Promise<boolean> {
  const deadline = performance.now() + patience.ready;
  while (isAlive(pid) && performance.now() < deadline) {
    const postmaster = await livePostmaster(dataFolder);
    if (postmaster?.pid === pid && postmaster.ready) return true;
    await delay(patience.poll);
  }
  return false;
}

async function openLog(home: string) {
  const path = serverLog(home);
  const size = (await stat(path).catch(() => undefined))?.size ?? 0;
  if (size > logBytes) await rename(path, `${path}.1`);
  const handle = await open(path, "a", 0o600);
  await giveToOwnerOf(home, path);
  return { path, size: size > logBytes ? 0 : size, handle };
}

async function choosePort({ demandedPort, rememberedPort }: ServerPlan): Promise<number> {
  if (demandedPort !== undefined) return demandedPort;
  const remembered = rememberedPort === undefined ? undefined : await freePort(rememberedPort);
  return remembered ?? (await freePort(0)) ?? 0;
}

/** Zero asks the system for any. Undefined when the port is taken. */
function freePort(wanted: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(undefined));
    probe.listen(wanted, "127.0.0.1", () => {
      const address = probe.address();
      const port = typeof address === "object" && address ? address.port : undefined;
      probe.close(() => resolve(port));
    });
  });
}

function startFailed(plan: ServerPlan, output: string): EmbeddedPostgresError {
  const reason = /(?:FATAL|PANIC|ERROR):\s*(.+)/.exec(output)?.[1] ?? output.trim().split("\n").at(-1) ?? "";
  return (
    errorInOutput(output, dirname(plan.dataFolder)) ??
    new EmbeddedPostgresError(
      "start_failed",
      `PostgreSQL does not start on ${plan.dataFolder} (${reason || "it said nothing"}); ${serverLog(plan.home)} tells more, and DATABASE_URL takes a PostgreSQL of yours instead.`,
    )
  );
}

function portBusy(port: number): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    "port_busy",
    `Port ${port} of 127.0.0.1, meant for PostgreSQL, is taken by another program; stop that one or choose another port.`,
  );
}
