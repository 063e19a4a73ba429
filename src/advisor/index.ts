/** The advisor: advice by a language model, with plans, quotas and memory, behind `/v1`. */
export type { AdvisorDeps } from "./deps.ts";
export { advisorRoutes } from "./routes.ts";
export type { AdvisorSettings } from "./settings.ts";
export { advisorUpkeep } from "./upkeep.ts";
