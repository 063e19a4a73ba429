import { every } from "../kernel/jobs/index.ts";
import type { Module } from "../module/index.ts";
import type { Core } from "../workspaces/index.ts";
import { advisorParts } from "./parts.ts";
import { advisorRoutes } from "./routes.ts";
import { advisorUpkeep } from "./upkeep.ts";

/** Advice by a language model, behind `/v1`. */
export const advisor: Module = {
  name: "advisor",
  wire(core) {
    const parts = advisorParts(core);
    return {
      routes: [advisorRoutes(parts)],
      cron: [every("*/5 * * * *", "advisor.upkeep", () => advisorUpkeep(parts))],
    };
  },
};

/** What a client of `/v1` shows to be let in. */
export const advisorToken = (core: Core) => advisorParts(core).settings.token;
