import { networkOf, openVault, platformsOf, variablesOf } from "../configured/index.ts";
import type { MessengerDeps } from "../delivery/index.ts";
import { createProviderClient } from "../kernel/outbound/index.ts";
import { createCredentials } from "../workspaces/index.ts";
import { administer, type Common } from "./administer.ts";
import { configOf, type Terminal } from "./command.ts";
import { runningTwins } from "./twins.ts";

/** Runs work on one workspace that may ask the messengers. */
export async function withMessengers<T>(
  terminal: Terminal,
  options: Common,
  work: (deps: MessengerDeps, workspaceId: string) => Promise<T>,
): Promise<T> {
  const config = configOf(terminal);
  const twinsUrl = config.MOLVA_ENV === "demo" ? await runningTwins(config) : undefined;
  const vault = await openVault(config);
  const platforms = platformsOf(config, terminal.environment, twinsUrl);
  const providers = createProviderClient({
    ...(await networkOf(config)),
    defaultTimeoutMs: config.MOLVA_SEND_TIMEOUT_SECONDS * 1000,
  });
  try {
    return await administer(terminal, options, (deps, workspaceId) => {
      const credentials = createCredentials(deps.sql, vault, variablesOf(config, terminal.environment));
      return work({ ...deps, platforms, credentials, providers }, workspaceId);
    });
  } finally {
    await providers.close();
  }
}
