import type { Clock } from "../kernel/clock/index.ts";
import type { Config, Environment } from "../kernel/config/index.ts";
import type { Sql } from "../kernel/db/index.ts";
import { createKeyValue } from "../kernel/kv/index.ts";
import type { Log } from "../kernel/log/index.ts";
import { createMetrics } from "../kernel/metrics/index.ts";
import { createGuardedClient, createGuardedSockets, createProviderClient } from "../kernel/outbound/index.ts";
import { withTwins } from "../platforms/index.ts";
import { type Core, createCredentials } from "../workspaces/index.ts";
import { allowedHosts, publicUrlOf, telegraphRootOf } from "./addresses.ts";
import { networkOf } from "./network.ts";
import { platformsOf } from "./platforms.ts";
import { storageOf } from "./storage.ts";
import { variablesOf } from "./variables.ts";
import { openVault } from "./vault.ts";

export interface CoreOptions {
  readonly config: Config;
  readonly environment: Environment;
  readonly twinsUrl: string | undefined;
  readonly sql: Sql;
  readonly databaseUrl: string;
  readonly clock: Clock;
  readonly log: Log;
  /** The public address, unless this process serves. */
  readonly ownUrl?: () => string;
}

/** Creates the shared dependencies from the configuration. `close` closes all of them but the database. */
export async function createCore(options: CoreOptions): Promise<Core & { close(): Promise<void> }> {
  const { config, environment, twinsUrl, sql, clock, log } = options;
  const network = await networkOf(config);
  const vault = await openVault(config, clock);
  const variables = variablesOf(config, environment);
  const allowHosts = allowedHosts(config, twinsUrl);
  const keyValue = await createKeyValue({ sql, redisUrl: config.REDIS_URL, log });
  // Every process of the installation signs alike, before and after a restart.
  const storage = storageOf(config, clock, network, vault.sign("addresses of stored files", "media"));
  const http = createProviderClient({
    ...network,
    defaultTimeoutMs: config.MOLVA_SEND_TIMEOUT_SECONDS * 1000,
  });
  const patientHttp = createProviderClient(network);
  const guarded = createGuardedClient({ ...network, allowHosts });
  const providerEnvironment = withTwins(environment, twinsUrl);
  const platforms = platformsOf(config, providerEnvironment, guarded);
  const publicUrl = publicUrlOf(config);
  return {
    ...{ config, environment, twinsUrl, sql, clock, log, keyValue, storage, vault, variables },
    databaseUrl: options.databaseUrl,
    metrics: createMetrics(),
    credentials: createCredentials(sql, vault, variables, { platforms, http, clock }),
    providerEnvironment,
    telegraphApiRoot: telegraphRootOf(config, environment, twinsUrl),
    platforms,
    ...{ http, patientHttp, guarded },
    sockets: createGuardedSockets({ allowHosts }),
    publicUrl,
    ownUrl: options.ownUrl ?? (() => publicUrl),
    async close() {
      await Promise.all([
        http.close(),
        patientHttp.close(),
        guarded.close(),
        keyValue.close(),
        storage.close(),
      ]);
    },
  };
}
