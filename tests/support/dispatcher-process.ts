import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { projectRoot } from "../../src/kernel/paths/index.ts";
import { tempFolder } from "./temp-folder.ts";
import { until } from "./until.ts";

/** A dispatcher as a process of its own, once it is ready. `onStart` gets the process before that, so that a test can always end it. */
export async function startDispatcherProcess(
  environment: Readonly<Record<string, string>>,
  onStart: (child: ChildProcess) => void,
): Promise<void> {
  const child = spawn(
    process.execPath,
    [join(projectRoot, "bin", "molva.js"), "serve", "--role", "dispatcher"],
    {
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        MOLVA_HOME: tempFolder("dispatcher"),
        MOLVA_ENV: "development",
        MOLVA_PORT: "0",
        ...environment,
      },
    },
  );
  onStart(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (part) => (output += part));
  await until("a dispatcher is ready", () => output.includes("molva is ready"), 60_000).catch((error) => {
    throw new Error(`${error}\n${output}`);
  });
}

/** Ends a process as the system does when memory runs out, and waits until it is gone. */
export async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "close");
  child.kill("SIGKILL");
  await ended;
}
