/** The advisor: advice by a language model, with plans, quotas and memory, behind `/v1`. */

export type { AdvisorSettings } from "./advisor-settings.ts";
export { demoToken } from "./demo-token.ts";
export type { AdvisorDeps } from "./deps.ts";
export { advisor, advisorToken } from "./module.ts";
export { advisorRoutes } from "./routes.ts";
export { advisorUpkeep } from "./upkeep.ts";
