/** The advisor: advice by a language model, with plans, quotas and memory, behind `/v1`. */
export { type Person, peoplePage, setPlan } from "./admin/people.ts";
export { describePlans, type PlanView, readPlanUsage } from "./admin/usage.ts";
export { demoToken } from "./demo-token.ts";
export type { AdvisorDeps } from "./deps.ts";
export { advisor, advisorToken } from "./module.ts";
export { advisorParts } from "./parts.ts";
export { advisorRoutes } from "./routes.ts";
export { type AdvisorSettings, planSettingsOf } from "./settings.ts";
export { advisorUpkeep } from "./upkeep.ts";
