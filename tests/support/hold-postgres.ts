/** An embedded PostgreSQL started by a process of its own, which a test may kill. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { builtScript } from "./built-script.ts";

export type HolderSaid =
  | { kind: "started"; url: string; dataFolder: string; note?: string; fresh: boolean; milliseconds: number }
  | { kind: "refused"; code: string; message: string };

export interface PostgresHolder {
  readonly said: HolderSaid;
  /** Throws the message if the start failed. */
  readonly started: Extract<HolderSaid, { kind: "started" }>;
  end(signal: NodeJS.Signals): Promise<void>;
}

export interface HolderOptions {
  readonly home: string;
  /** Root only: be this user instead. */
  readonly uid?: number;
  readonly settings?: Readonly<Record<string, string | number | boolean>>;
}

/** Off, because a test's cluster need not survive the machine. */
export const notDurable = { fsync: false, synchronous_commit: false, full_page_writes: false } as const;

export async function holdPostgres({
  home,
  uid,
  settings = notDurable,
}: HolderOptions): Promise<PostgresHolder> {
  const script = await builtScript(join(import.meta.dirname, "postgres-holder.ts"));
  const child = spawn(process.execPath, [script, home, JSON.stringify(settings)], {
    ...(uid === undefined ? {} : { uid, gid: uid }),
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env.PATH },
  });
  const said = await firstLine(child);
  return {
    said,
    get started() {
      if (said.kind === "refused") throw new Error(said.message);
      return said;
    },
    async end(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      child.kill(signal);
      await ended;
    },
  };
}

async function firstLine(child: ChildProcess): Promise<HolderSaid> {
  let complaint = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    complaint += text;
  });
  if (!child.stdout) throw new Error("the holder has no output");
  for await (const line of createInterface({ input: child.stdout })) {
    const said: HolderSaid = JSON.parse(line);
    return said;
  }
  throw new Error(`the holder ended without a word: ${complaint}`);
}
