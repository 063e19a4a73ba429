/** Starts Molva as a person does: `npm start` in the clone, with a home and ports of its own. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { projectRoot } from "../../src/kernel/paths/index.ts";

export interface MolvaOptions {
  readonly home: string;
  readonly port: number;
  readonly twinPort: number;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Molva {
  readonly url: string;
  readonly twinUrl: string;
  /** From the command to the first ready answer. */
  readonly readyMs: number;
  output(): string;
  /** Like Ctrl-C in a terminal: signals the whole process group, and waits for its end. */
  interrupt(): Promise<void>;
  /** Like the system when memory runs out: kills the server and the twins. */
  kill(): Promise<void>;
}

export interface Ended {
  readonly status: number | null;
  readonly output: string;
}

const readyWithinMs = 120_000;
const endWithinMs = 60_000;

/** Starts Molva and waits until it is ready; throws with its output when it ends before. */
export async function startMolva(options: MolvaOptions): Promise<Molva> {
  const began = performance.now();
  const { child, output } = npmStart(options);
  const url = `http://127.0.0.1:${options.port}`;
  // The banner is printed last, when everything works.
  while (!(output().includes("Stop with Ctrl-C") && (await isReady(url)))) {
    if (hasEnded(child)) throw new Error(`npm start ended before it was ready:\n${output()}`);
    if (performance.now() - began > readyWithinMs) {
      await signalGroup(child, "SIGKILL");
      throw new Error(`npm start was not ready in time:\n${output()}`);
    }
    await delay(50);
  }
  return {
    url,
    twinUrl: `http://127.0.0.1:${options.twinPort}`,
    readyMs: performance.now() - began,
    output,
    interrupt: () => signalGroup(child, "SIGINT"),
    kill: () => signalGroup(child, "SIGKILL"),
  };
}

/** Starts Molva where the start must fail, and waits for its end. */
export async function refusedMolva(options: MolvaOptions): Promise<Ended> {
  const { child, output } = npmStart(options);
  const late = setTimeout(() => void signalGroup(child, "SIGKILL"), endWithinMs);
  if (!hasEnded(child)) await once(child, "close");
  clearTimeout(late);
  return { status: child.exitCode, output: output() };
}

/** Two ports that are free now. */
export async function freePorts(): Promise<{ port: number; twinPort: number }> {
  const servers = [createServer(), createServer()];
  const ports = await Promise.all(
    servers.map(async (server) => {
      await once(server.listen(0, "127.0.0.1"), "listening");
      const address = server.address();
      return typeof address === "object" ? (address?.port ?? 0) : 0;
    }),
  );
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  const [port = 0, twinPort = 0] = ports;
  return { port, twinPort };
}

function npmStart(options: MolvaOptions): { child: ChildProcess; output(): string } {
  const { DATABASE_URL: _, MOLVA_ENV: __, ...environment } = process.env;
  const child = spawn("npm", ["start"], {
    cwd: projectRoot,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...environment,
      // The tests' runner sets it, and a person does not.
      NODE_ENV: "",
      MOLVA_HOME: options.home,
      MOLVA_PORT: String(options.port),
      MOLVA_TWIN_PORT: String(options.twinPort),
      ...options.env,
    },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  return { child, output: () => output };
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/healthz/readiness`, { signal: AbortSignal.timeout(2_000) })).ok;
  } catch {
    return false; // nobody listens yet
  }
}

async function signalGroup(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (hasEnded(child) || child.pid === undefined) return;
  const ended = once(child, "close");
  process.kill(-child.pid, signal);
  await ended;
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
