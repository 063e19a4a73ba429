/** The gateway to language models: policies, prompts, budgets, structured answers. */
export {
  type Answered,
  type Ask,
  type AskImages,
  type AskObject,
  type AspectRatio,
  aspectRatios,
  type CallMeta,
  type ImagesAnswer,
  type ObjectAnswer,
  type Part,
  type Picture,
  type PictureAsk,
  type PictureResult,
  type PictureSize,
  pictureSizes,
} from "./ask.ts";
export { type InstallationCap, listInstallationCaps } from "./budgets/installation.ts";
export type { LlmError, LlmErrorCode } from "./failures.ts";
export type { Gateway } from "./gateway.ts";
export { llm } from "./module.ts";
export { gatewayOf } from "./parts.ts";
export { notePromptQuality, type PromptQuality } from "./prompts/prompts.ts";
export { providersOf } from "./providers/configured.ts";
export { pingProvider } from "./providers/ping.ts";
export { type Providers, providerNames } from "./providers/settings.ts";
export { llmRoutes } from "./routes.ts";
export { readSeedFiles } from "./seed.ts";
