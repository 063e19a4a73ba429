import { every } from "../kernel/jobs/index.ts";
import type { Module } from "../module/index.ts";
import type { Core } from "../workspaces/index.ts";
import { addAdvisor } from "./commands/advisor.ts";
import { advisorSettings } from "./environment.ts";
import { advisorParts } from "./parts.ts";
import { endPaidPlans } from "./people/paid-plan.ts";
import { advisorRoutes } from "./routes.ts";
import { advisorUpkeep } from "./upkeep.ts";

export const advisor: Module = {
  name: "advisor",
  settings: advisorSettings,
  commands: [addAdvisor],
  files: [
    {
      name: "files of the advisor's people",
      query: `select storage_url from advisor.media_assets
        where uploaded_at is not null and deleted_at is null and user_id is not null`,
    },
  ],
  wire(core) {
    const parts = advisorParts(core);
    return {
      routes: [advisorRoutes(parts)],
      cron: [
        every("*/5 * * * *", "advisor.upkeep", () => advisorUpkeep(parts)),
        every("* * * * *", "advisor.end_paid_plans", () => endPaidPlans(core.sql, core.clock.now())),
      ],
    };
  },
};

/** The token of `/v1`. */
export const advisorToken = (core: Core) => advisorParts(core).settings.token;
