/** The gateway to language models: policies, prompts, budgets, structured answers. */
export type { Answered, Ask, CallMeta, ObjectAnswer, Part } from "./ask.ts";
export { type InstallationCap, listInstallationCaps } from "./budgets/installation.ts";
export type { LlmError, LlmErrorCode } from "./failures.ts";
export type { Gateway } from "./gateway.ts";
export { llm } from "./module.ts";
export { gatewayOf } from "./parts.ts";
export { providersOf } from "./providers/configured.ts";
export { pingProvider } from "./providers/ping.ts";
export { type Providers, providerNames } from "./providers/settings.ts";
export { llmRoutes } from "./routes.ts";
export { readSeedFiles } from "./seed.ts";
