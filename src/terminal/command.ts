import { type Config, loadConfig } from "../kernel/config/index.ts";
import { createLog, type Log } from "../kernel/log/index.ts";
import type { Terminal } from "./terminal.ts";

/** Prints the result as text for people, or as one line of JSON for machines. */
export function print(
  terminal: Terminal,
  options: { json?: boolean },
  result: unknown,
  text: () => string,
): void {
  terminal.out(options.json ? JSON.stringify(result) : text());
}

export function configOf(terminal: Terminal): Config {
  return loadConfig(terminal.environment, terminal.settings);
}

/** `molva up` is for a person, so by default it logs only warnings and errors. */
export function logOf(terminal: Terminal, config: Config, quietLevel?: string): Log {
  const level = terminal.environment.MOLVA_LOG_LEVEL
    ? config.MOLVA_LOG_LEVEL
    : (quietLevel ?? config.MOLVA_LOG_LEVEL);
  return createLog({ level });
}
