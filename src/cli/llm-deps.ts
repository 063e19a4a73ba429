import { type Gateway, gatewayOf } from "../llm/index.ts";
import type { AdminDeps } from "../workspaces/index.ts";
import type { Common } from "./administer.ts";
import type { Terminal } from "./command.ts";
import { withCore } from "./with-core.ts";

export interface LlmDeps extends AdminDeps {
  readonly gateway: Gateway;
}

/** The gateway of this installation, with the release's policies and prompts in place. */
export function withGateway<T>(
  terminal: Terminal,
  options: Common,
  work: (deps: LlmDeps, workspaceId: string) => Promise<T>,
): Promise<T> {
  return withCore(terminal, options, async (core, workspaceId) => {
    const gateway = gatewayOf(core);
    try {
      await gateway.ensure(workspaceId);
      return await work({ sql: core.sql, clock: core.clock, gateway }, workspaceId);
    } finally {
      await gateway.settled();
    }
  });
}
