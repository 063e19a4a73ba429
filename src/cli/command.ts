import { type Config, loadConfig, readEnvironment } from "../kernel/config/index.ts";
import { createLog, type Log } from "../kernel/log/index.ts";
import type { Terminal } from "../module/index.ts";
import { askAt } from "./ask.ts";

export type { AddCommand, Terminal } from "../module/index.ts";

export function systemTerminal(): Terminal {
  // Whoever reads has seen enough (`molva tail | head`): Node reports it as an error where other programs get SIGPIPE.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.kill(process.pid, "SIGTERM");
  });
  return {
    environment: readEnvironment(),
    out: (text) => void process.stdout.write(`${text}\n`),
    err: (text) => void process.stderr.write(`${text}\n`),
    isTerminal: process.stdout.isTTY === true,
    ask: askAt(process.stdin, process.stderr),
  };
}

/** The result for people as text, or for machines as one line of JSON. */
export function print(
  terminal: Terminal,
  options: { json?: boolean },
  result: unknown,
  text: () => string,
): void {
  terminal.out(options.json ? JSON.stringify(result) : text());
}

export function configOf(terminal: Terminal): Config {
  return loadConfig(terminal.environment);
}

/** `molva up` talks to a person, so unless told otherwise it logs only what needs one. */
export function logOf(terminal: Terminal, config: Config, quietLevel?: string): Log {
  const level = terminal.environment.MOLVA_LOG_LEVEL
    ? config.MOLVA_LOG_LEVEL
    : (quietLevel ?? config.MOLVA_LOG_LEVEL);
  return createLog({ level });
}
