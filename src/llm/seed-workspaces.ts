import type { Log } from "../kernel/log/index.ts";
import type { Service } from "../kernel/service/index.ts";
import type { Gateway } from "./gateway.ts";

export interface SeederDeps {
  readonly gateway: Gateway;
  readonly log: Log;
  readonly workspaces: () => Promise<readonly { readonly id: string }[]>;
}

/**
 * Adds the release's policies and prompts to every workspace in the background, so that operators see them before the first
 * call. Calls do not wait for it: each makes sure of its own workspace.
 */
export function createWorkspaceSeeder({ gateway, log, workspaces }: SeederDeps): Service {
  let stopped = false;
  let running: Promise<void> = Promise.resolve();

  async function seed(): Promise<void> {
    try {
      for (const { id } of await workspaces()) {
        if (stopped) return;
        await gateway.ensure(id);
      }
    } catch (error) {
      if (!stopped)
        log.error({ err: error }, "policies and prompts of language models could not be brought up to date");
    }
  }

  return {
    name: "llm seeding",
    async start() {
      running = seed();
    },
    async stop() {
      stopped = true;
      await running;
    },
  };
}
