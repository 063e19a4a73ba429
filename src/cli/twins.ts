import { fork } from "node:child_process";
import { join } from "node:path";
import type { Config } from "../kernel/config/index.ts";
import { projectRoot } from "../kernel/paths/index.ts";
import { UserError } from "./failure.ts";

export interface TwinsProcess {
  readonly url: string;
  stop(): Promise<void>;
}

/** What the child tells its parent once. */
export type TwinsMessage = { readonly url: string } | { readonly error: string };

const stopWithinMs = 5_000;

/** The twins in a process of their own, as separate from the server as the real providers are. It ends with its parent. */
export async function startTwinsProcess(config: Config): Promise<TwinsProcess> {
  const child = fork(
    join(projectRoot, "bin", "molva.js"),
    ["twin", "--home", join(config.MOLVA_HOME, "twins")],
    {
      env: { ...process.env, MOLVA_TWIN_PORT: String(config.MOLVA_TWIN_PORT), MOLVA_HOST: config.MOLVA_HOST },
      stdio: ["ignore", "ignore", "inherit", "ipc"],
      execArgv: [],
    },
  );
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const message = await new Promise<TwinsMessage>((resolve) => {
    child.once("message", (said: TwinsMessage) => resolve(said));
    child.once("exit", (code) =>
      resolve({ error: `The twins ended with code ${code} before they were ready.` }),
    );
  });
  if ("error" in message) throw new UserError(message.error);
  return {
    url: message.url,
    async stop() {
      if (child.connected) child.disconnect();
      const cut = setTimeout(() => child.kill("SIGKILL"), stopWithinMs);
      await ended;
      clearTimeout(cut);
    },
  };
}

/** Where the twins of this configuration answer, if they run. */
export async function runningTwins(config: Config): Promise<string | undefined> {
  const url = `http://127.0.0.1:${config.MOLVA_TWIN_PORT}`;
  try {
    const answer = await fetch(`${url}/_control/health`, { signal: AbortSignal.timeout(1_000) });
    return answer.ok ? url : undefined;
  } catch {
    return undefined;
  }
}
