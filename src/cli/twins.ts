import { fork } from "node:child_process";
import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import type { Config } from "../kernel/config/index.ts";
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
  const home = resolve(config.MOLVA_HOME, "twins");
  mkdirSync(home, { recursive: true });
  // By the same program as ours, which need not be the built one.
  const [, program = ""] = process.argv;
  const child = fork(program, ["twin", "--home", home], {
    // A folder without an .env file: the server's secrets are none of the twins' business.
    cwd: home,
    env: environmentOfTwins(config, process.env),
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    execArgv: [],
  });
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

/** What a Node process needs to run at all; nothing else of the server's environment. */
const handedOn = ["PATH", "HOME", "TMPDIR", "TEMP", "TMP", "SystemRoot", "LANG", "TZ"];

export function environmentOfTwins(
  config: Pick<Config, "MOLVA_TWIN_PORT">,
  own: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const kept = handedOn.flatMap((name) => {
    const value = own[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(kept), MOLVA_TWIN_PORT: String(config.MOLVA_TWIN_PORT) };
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
