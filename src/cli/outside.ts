import {
  allowedHosts,
  mailerOf,
  networkOf,
  openVault,
  platformsOf,
  publicUrlOf,
  variablesOf,
} from "../configured/index.ts";
import type { MonitorDeps, PullDeps } from "../delivery/index.ts";
import { systemClock } from "../kernel/clock/index.ts";
import type { Sql } from "../kernel/db/index.ts";
import { createGuardedClient, createGuardedSockets, createProviderClient } from "../kernel/outbound/index.ts";
import { createCredentials } from "../workspaces/index.ts";
import { configOf, logOf, type Terminal } from "./command.ts";
import { runningTwins } from "./twins.ts";

/** What it takes to ask a source or to tell people from the command line, for as long as the work takes. */
export async function withOutside<T>(
  terminal: Terminal,
  sql: Sql,
  work: (deps: { pull: PullDeps; monitor: MonitorDeps }) => Promise<T>,
): Promise<T> {
  const config = configOf(terminal);
  const twinsUrl = config.MOLVA_ENV === "demo" ? await runningTwins(config) : undefined;
  const network = await networkOf(config);
  const allowHosts = allowedHosts(config, twinsUrl);
  const guarded = createGuardedClient({ ...network, allowHosts });
  const http = createProviderClient({
    ...network,
    defaultTimeoutMs: config.MOLVA_SEND_TIMEOUT_SECONDS * 1000,
  });
  const mailer = mailerOf(config);
  const common = {
    sql,
    clock: systemClock,
    log: logOf(terminal, config, "error"),
    platforms: platformsOf(config, terminal.environment, twinsUrl),
    credentials: createCredentials(sql, await openVault(config), variablesOf(config, terminal.environment)),
  };
  try {
    return await work({
      pull: { ...common, http: guarded, sockets: createGuardedSockets({ allowHosts }) },
      monitor: {
        ...common,
        http,
        guarded,
        mailer,
        publicUrl: publicUrlOf(config),
        sendingLeaseSeconds: config.MOLVA_SENDING_LEASE_SECONDS,
        claimedLeaseSeconds: config.MOLVA_CLAIMED_LEASE_SECONDS,
      },
    });
  } finally {
    await Promise.all([guarded.close(), http.close()]);
  }
}
