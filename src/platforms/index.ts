/** Where posts go: one folder per platform, one contract for all. */
export { channelSettings } from "./channel-settings.ts";
export { retryAfterHeader } from "./classify.ts";
export {
  type AccountConsent,
  type ChannelCheck,
  type ChannelProfile,
  type CheckContext,
  type CheckFinding,
  type CheckStep,
  type CommonFinding,
  type Compiled,
  type CompiledMedia,
  type CompiledRequest,
  type CompileResult,
  type CorrectionRefusal,
  type CorrectionRules,
  type Credential,
  checkSteps,
  type FileRules,
  type Found,
  type Granted,
  type Lent,
  type LentFile,
  type MediaFault,
  type MediaFile,
  type MediaOrder,
  type MediaSource,
  type Outcome,
  type PictureRules,
  type Place,
  type Places,
  type Platform,
  type PlatformLimits,
  type PlatformName,
  type Posted,
  type Preview,
  type Progress,
  type RefreshContext,
  type Refreshed,
  type Resolved,
  type SendContext,
  type SendError,
} from "./contract.ts";
export {
  type CredentialChecked,
  type CredentialFault,
  checkCredential,
  credentialText,
  faultsInWords,
  onlyField,
  readCredential,
} from "./credential-text.ts";
export type {
  ChannelSetting,
  CredentialDefinition,
  CredentialField,
  ExpectedPage,
  PagesDefinition,
  PlatformDefinition,
  PlatformTuning,
  PlatformWords,
  TargetDefinition,
  TargetRule,
} from "./definition.ts";
export {
  type BotButton,
  createMaxBot,
  type MaxBot,
  type MaxBotContext,
  type MaxSettings,
  maxApiRoot,
  withBotButtons,
} from "./max/index.ts";
export { noMedia } from "./no-media.ts";
export { twinApp as pinterestTwinApp } from "./pinterest/index.ts";
export { trackProgress } from "./progress.ts";
export {
  createPlatforms,
  definitionOf,
  type Platforms,
  platformDefinitions,
  platformNames,
  platformSettings,
  withTwins,
} from "./registry.ts";
export { sameJson } from "./same-json.ts";
export { readCompiled, restored, type StoredPost, storedForm } from "./stored.ts";
export { entitiesOf as telegramEntities } from "./telegram/entities.ts";
export { telegramApiRoot } from "./telegram/index.ts";
export * from "./telegram-account/index.ts";
