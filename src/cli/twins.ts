import { fork } from "node:child_process";
import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import type { Config } from "../kernel/config/index.ts";
import { codeOf } from "../kernel/errors/index.ts";
import { UserError } from "../terminal/index.ts";

export interface TwinsProcess {
  readonly url: string;
  stop(): Promise<void>;
}

/** The child's message to its parent. */
export type TwinsMessage = { readonly url: string } | { readonly error: string };

const stopWithinMs = 5_000;

/** The twins in a process of their own, as separate from the server as the real providers are. It ends with its parent. */
export async function startTwinsProcess(config: Config): Promise<TwinsProcess> {
  const home = resolve(config.MOLVA_HOME, "twins");
  mkdirSync(home, { recursive: true });
  // The same program as ours, which may be the source instead of the build.
  const [, program = ""] = process.argv;
  const child = fork(program, ["twin", "--home", home], {
    // A folder without an .env file: the twins must not get the server's secrets.
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

/** What a Node process needs to run; nothing else of the server's environment. */
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

/** Why the twins could not listen, in a sentence. */
export function twinsFailure(error: unknown, port: number): Error {
  const code = codeOf(error);
  if (code === "EADDRINUSE")
    return new UserError(
      `Port ${port} for the twins is taken; stop what uses it, or set MOLVA_TWIN_PORT to another one.`,
    );
  if (code === "EACCES")
    return new UserError(`Port ${port} for the twins needs more rights; set MOLVA_TWIN_PORT above 1023.`);
  return error instanceof Error ? error : new Error(String(error));
}
