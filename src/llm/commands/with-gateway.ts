import { type Common, type Terminal, withCore } from "../../terminal/index.ts";
import type { AdminDeps } from "../../workspaces/index.ts";
import type { Gateway } from "../gateway.ts";
import { gatewayOf } from "../parts.ts";

export interface LlmDeps extends AdminDeps {
  readonly gateway: Gateway;
}

/** Runs work with the gateway, after the release's policies and prompts were added. */
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
