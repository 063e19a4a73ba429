import { type OpenedLog, openLog } from "../configured/index.ts";
import { type Config, loadConfig, secretsIn } from "../kernel/config/index.ts";
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

/** The log of a command. Its errors are for the person who runs it: they are not reported. */
export function logOf(terminal: Terminal, config: Config, quietLevel?: string): Log {
  return createLog({
    level: levelOf(terminal, config, quietLevel),
    secrets: secretsIn(config, terminal.settings, terminal.environment),
  });
}

/** The log of a server. */
export function serverLogOf(
  terminal: Terminal,
  config: Config,
  { roles, quietLevel }: { readonly roles: readonly string[]; readonly quietLevel?: string },
): Promise<OpenedLog> {
  const { settings, environment } = terminal;
  return openLog(config, { roles, settings, environment, level: levelOf(terminal, config, quietLevel) });
}

/** Where a person looks on, fewer lines are logged unless the level was set. */
function levelOf({ environment }: Terminal, { MOLVA_LOG_LEVEL }: Config, quietLevel?: string): string {
  return environment.MOLVA_LOG_LEVEL ? MOLVA_LOG_LEVEL : (quietLevel ?? MOLVA_LOG_LEVEL);
}
