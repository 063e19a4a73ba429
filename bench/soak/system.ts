import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { projectRoot } from "../../src/kernel/paths/index.ts";
import { freePorts } from "../../tests/support/molva.ts";
import { tempFolder } from "../../tests/support/temp-folder.ts";
import { until } from "../../tests/support/until.ts";
import { token } from "./stand.ts";

export interface RunningMolva {
  readonly url: string;
  stop(): Promise<void>;
}

/** `molva serve` with every role, in a process of its own. */
export async function startMolva(databaseUrl: string, twinsUrl: string): Promise<RunningMolva> {
  const { port } = await freePorts();
  const child = spawn(process.execPath, [join(projectRoot, "bin", "molva.js"), "serve"], {
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      MOLVA_HOME: tempFolder("soak"),
      MOLVA_PORT: String(port),
      DATABASE_URL: databaseUrl,
      TELEGRAM_API_ROOT: `${twinsUrl}/telegram`,
      MOLVA_SEND_TIMEOUT_SECONDS: "5",
      SOAK_TOKEN: token,
    },
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    if (!output.includes("molva is ready")) output += text;
  });
  await until("molva is ready", () => output.includes("molva is ready"), 60_000);
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
}
