/** Where posts go: one folder per platform, one contract for all. */
export { channelSettings } from "./channel-settings.ts";
export {
  type ChannelCheck,
  type ChannelProfile,
  type CheckContext,
  type CheckFinding,
  type CheckStep,
  type Compiled,
  type CompiledMedia,
  type CompiledRequest,
  type CompileResult,
  checkSteps,
  type FileRules,
  type Found,
  type Lent,
  type LentFile,
  type MediaFault,
  type MediaFile,
  type MediaOrder,
  type MediaSource,
  type Outcome,
  type PictureRules,
  type Platform,
  type PlatformLimits,
  type PlatformName,
  type Preview,
  type Progress,
  type Resolved,
  type SendContext,
  type SendError,
} from "./contract.ts";
export {
  type BotButton,
  createMaxBot,
  type MaxBot,
  type MaxBotContext,
  type MaxSettings,
  type UploadPolicy,
  withBotButtons,
} from "./max/index.ts";
export { noMedia } from "./no-media.ts";
export { trackProgress } from "./progress.ts";
export {
  createPlatforms,
  isPlatformName,
  type Platforms,
  type PlatformsSettings,
  platformNames,
} from "./registry.ts";
export { readCompiled, restored, type StoredPost, storedForm } from "./stored.ts";
export { entitiesOf as telegramEntities } from "./telegram/entities.ts";
export * from "./telegram-account/index.ts";
