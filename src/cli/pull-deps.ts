import { createCredentials, type PullDeps } from "../delivery/index.ts";
import { systemClock } from "../kernel/clock/index.ts";
import type { Sql } from "../kernel/db/index.ts";
import { createGuardedClient } from "../kernel/outbound/index.ts";
import { networkOf, openVault, platformsOf } from "../main.ts";
import { configOf, logOf, type Terminal } from "./command.ts";
import { runningTwins } from "./twins.ts";

/** What it takes to ask a source from the command line, for as long as the work takes. */
export async function withPullDeps<T>(
  terminal: Terminal,
  sql: Sql,
  work: (deps: PullDeps) => Promise<T>,
): Promise<T> {
  const config = configOf(terminal);
  const twinsUrl = config.MOLVA_ENV === "demo" ? await runningTwins(config) : undefined;
  const http = createGuardedClient({
    ...(await networkOf(config)),
    allowHosts: twinsUrl ? [new URL(twinsUrl).host] : [],
  });
  try {
    return await work({
      sql,
      clock: systemClock,
      log: logOf(terminal, config, "error"),
      http,
      platforms: platformsOf(config, terminal.environment, twinsUrl),
      credentials: createCredentials(sql, await openVault(config), terminal.environment),
    });
  } finally {
    await http.close();
  }
}
