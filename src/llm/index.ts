/** The gateway to language models: policies, prompts, budgets, structured answers. */
export type {
  Answered,
  Ask,
  AskObject,
  CallMeta,
  ObjectAnswer,
  Part,
  PromptCall,
  TextAnswer,
  Turn,
  Usage,
  WordStream,
} from "./ask.ts";
export { type LlmError, type LlmErrorCode, llmErrors, type PassedCap } from "./failures.ts";
export { createGateway, type Gateway, type GatewayDeps, type ProviderView } from "./gateway.ts";
export { PromptError } from "./prompts/render-prompt.ts";
export {
  type ProviderName,
  type ProviderSettings,
  type Providers,
  providerNames,
} from "./providers/settings.ts";
export { readSeedFiles, type SeedFiles } from "./seed.ts";
