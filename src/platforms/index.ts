/** Where posts go: one folder per platform, one contract for all. */
export type {
  ChannelProfile,
  Compiled,
  CompiledMedia,
  CompiledRequest,
  CompileResult,
  Found,
  MediaBytes,
  MediaSource,
  Outcome,
  Platform,
  PlatformLimits,
  PlatformName,
  Progress,
  SendContext,
  SendError,
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
export { trackProgress } from "./progress.ts";
export {
  createPlatforms,
  isPlatformName,
  type Platforms,
  type PlatformsSettings,
  platformNames,
} from "./registry.ts";
export { readCompiled } from "./stored.ts";
