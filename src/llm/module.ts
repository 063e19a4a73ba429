import { every } from "../kernel/jobs/index.ts";
import { type Core, listWorkspaces } from "../workspaces/index.ts";
import { addLlm } from "./commands/llm.ts";
import { llmSettings } from "./environment.ts";
import { llmMetrics } from "./metrics.ts";
import { gatewayOf } from "./parts.ts";
import { llmRoutes } from "./routes.ts";
import { createWorkspaceSeeder } from "./seed-workspaces.ts";
import { llmUpkeep } from "./upkeep.ts";

/** The gateway to language models. */
export const llm = {
  name: "llm",
  metrics: Object.values(llmMetrics),
  settings: llmSettings,
  commands: [addLlm],
  wire(core: Core) {
    const { sql, clock, log } = core;
    const gateway = gatewayOf(core);
    return {
      routes: [llmRoutes({ sql, clock, gateway })],
      services: {
        always: () => [createWorkspaceSeeder({ log, gateway, workspaces: () => listWorkspaces(sql) })],
      },
      cron: [every("23 * * * *", "llm.upkeep", () => llmUpkeep(sql, clock.now()))],
      close: () => gateway.settled(),
    };
  },
};
