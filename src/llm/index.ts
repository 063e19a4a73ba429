/** The gateway to language models: policies, prompts, budgets, structured answers. */
export type {
  Answered,
  Ask,
  AskObject,
  CallMeta,
  ObjectAnswer,
  Part,
  PastMessage,
  PromptCall,
  TextAnswer,
  Usage,
  WordStream,
} from "./ask.ts";
export { listBudgets, removeBudget, setBudget } from "./budgets/budgets.ts";
export {
  type ForAll,
  type InstallationCap,
  installationKey,
  listInstallationCaps,
  removeInstallationCap,
  setInstallationCap,
} from "./budgets/installation.ts";
export { budgetCap, budgetKey } from "./budgets/shape.ts";
export { type LlmError, type LlmErrorCode, llmErrors, type PassedCap } from "./failures.ts";
export { createGateway, type Gateway, type GatewayDeps, type ProviderView } from "./gateway.ts";
export { llm } from "./module.ts";
export { gatewayOf } from "./parts.ts";
export { addPolicy, changePolicy, listPolicies, readPolicy, removePolicy } from "./policies/policies.ts";
export { listPrices, setPrice } from "./policies/prices.ts";
export { newPolicy, newPrice, type PolicyView, type PriceView, policyChange } from "./policies/shape.ts";
export { activatePrompt, listPrompts, promptVersions, savePrompt } from "./prompts/prompts.ts";
export { PromptError } from "./prompts/render-prompt.ts";
export { newPromptVersion, type PromptView } from "./prompts/shape.ts";
export { providersOf } from "./providers/configured.ts";
export { type Ping, pingProvider } from "./providers/ping.ts";
export {
  type ProviderName,
  type ProviderSettings,
  type Providers,
  providerNames,
} from "./providers/settings.ts";
export { llmRoutes } from "./routes.ts";
export { readSeedFiles, type SeedFiles } from "./seed.ts";
export { createSeeding } from "./seeding.ts";
export { type TryOutResult, tryOut, tryOutBody } from "./try-out.ts";
export { llmUpkeep } from "./upkeep.ts";
export { type CallView, callPage, type Grouping, groupings, readUsage } from "./usage/usage.ts";
