import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export interface Child {
  /** Its first message: its address. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Runs a module of the bench in a process of its own until it is stopped or its parent ends. */
export async function startChild(module: URL, settings: object): Promise<Child> {
  const child = fork(fileURLToPath(module), [JSON.stringify(settings)]);
  const url = await firstWord(child);
  return {
    url,
    async stop() {
      const ended = once(child, "exit");
      child.disconnect();
      await ended;
    },
  };
}

async function firstWord(child: ChildProcess): Promise<string> {
  const word = await Promise.race([
    once(child, "message").then(([message]) => message),
    once(child, "exit").then(([code]) => {
      throw new Error(`the process ended with code ${code} before it said where it listens`);
    }),
  ]);
  return String(word);
}

export const startTwinsProcess = (settings: { rateLimits: boolean; chatBurst: number }): Promise<Child> =>
  startChild(new URL("./twins-process.js", import.meta.url), settings);
