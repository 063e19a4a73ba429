/** Facts about a process by its number. The number alone proves nothing: the system reuses it. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { patience } from "./server-settings.ts";

/** A text that differs between two processes with the same number, or undefined when the process is gone. */
export function birthOf(pid: number): string | undefined {
  if (process.platform !== "linux") return ps(pid, "lstart=");
  const stat = contents(`/proc/${pid}/stat`);
  // The name in parentheses may hold spaces; state is the first field after it, start time the 20th.
  const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
  const state = fields?.[0];
  return state === undefined || state === "Z" || state === "X" ? undefined : fields?.[19];
}

export function isAlive(pid: number): boolean {
  return birthOf(pid) !== undefined;
}

/** The command line, its words separated by spaces. */
export function commandOf(pid: number): string | undefined {
  if (process.platform !== "linux") return ps(pid, "command=");
  return contents(`/proc/${pid}/cmdline`)?.replaceAll("\0", " ").trim();
}

/** False when the process is still there after `milliseconds`. */
export async function hasEnded(pid: number, milliseconds: number): Promise<boolean> {
  const deadline = performance.now() + milliseconds;
  while (isAlive(pid)) {
    if (performance.now() > deadline) return false;
    await delay(patience.poll);
  }
  return true;
}

/** Sends a signal; does nothing if the process is gone. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (isAlive(pid)) throw error;
  }
}

function contents(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined; // /proc has no such process
  }
}

function ps(pid: number, column: string): string | undefined {
  try {
    const line = execFileSync("ps", ["-o", column, "-p", String(pid)], { encoding: "utf8" }).trim();
    return line === "" ? undefined : line;
  } catch {
    return undefined; // ps ends with 1 when there is no such process
  }
}
