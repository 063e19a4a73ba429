import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { projectRoot } from "../../src/kernel/paths/index.ts";
import { freePorts } from "../../tests/support/molva.ts";
import { tempFolder } from "../../tests/support/temp-folder.ts";
import { until } from "../../tests/support/until.ts";
import { token } from "./harness.ts";

export interface RunningMolva {
  readonly url: string;
  stop(): Promise<void>;
}

/** `molva serve` with every role, in a process of its own. */
export async function startMolva(databaseUrl: string, twinsUrl: string): Promise<RunningMolva> {
  const { port } = await freePorts();
  const child = spawn(process.execPath, [join(projectRoot, "bin", "molva.js"), "serve"], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      MOLVA_HOME: tempFolder("soak"),
      MOLVA_ENV: "development",
      MOLVA_PORT: String(port),
      DATABASE_URL: databaseUrl,
      TELEGRAM_API_ROOT: `${twinsUrl}/telegram`,
      MOLVA_SEND_TIMEOUT_SECONDS: "5",
      SOAK_TOKEN: token,
      MOLVA_WORKSPACE_VARIABLES: "SOAK_TOKEN=*",
    },
  });
  const stop = async () => {
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    await ended;
  };
  let output = "";
  let isReady = false;
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output = (output + text).slice(-4_000);
      isReady ||= output.includes("molva is ready");
    });
  try {
    await until("molva is ready", () => isReady, 60_000);
  } catch (error) {
    await stop();
    throw new Error(`molva did not start: ${output}`, { cause: error });
  }
  return { url: `http://127.0.0.1:${port}`, stop };
}
