import { llmProvidersOf, networkOf, publicUrlOf } from "../configured/index.ts";
import { createProviderClient } from "../kernel/outbound/index.ts";
import { createGateway, type Gateway, type Providers } from "../llm/index.ts";
import type { AdminDeps } from "../workspaces/index.ts";
import { administer, type Common } from "./administer.ts";
import { configOf, logOf, type Terminal } from "./command.ts";
import { runningTwins } from "./twins.ts";

export interface LlmDeps extends AdminDeps {
  readonly gateway: Gateway;
}

/** The gateway of this installation, with the release's policies and prompts in place. */
export function withGateway<T>(
  terminal: Terminal,
  options: Common,
  work: (deps: LlmDeps, workspaceId: string) => Promise<T>,
): Promise<T> {
  return administer(terminal, options, async ({ sql, clock }, workspaceId) => {
    const config = configOf(terminal);
    const http = createProviderClient(await networkOf(config));
    const gateway = createGateway({
      ...{ sql, clock, http, log: logOf(terminal, config, "error"), appUrl: publicUrlOf(config) },
      providers: await providersOf(terminal),
    });
    try {
      await gateway.ensure(workspaceId);
      return await work({ sql, clock, gateway }, workspaceId);
    } finally {
      await gateway.settled();
      await http.close();
    }
  });
}

export async function providersOf(terminal: Terminal): Promise<Providers> {
  const config = configOf(terminal);
  const twinsUrl = config.MOLVA_ENV === "demo" ? await runningTwins(config) : undefined;
  return llmProvidersOf(config, terminal.environment, twinsUrl);
}
