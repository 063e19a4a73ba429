/** Where posts go: one folder per platform, one contract for all. */
export { channelSettings } from "./channel-settings.ts";
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
  Preview,
  Progress,
  SendContext,
  SendError,
} from "./contract.ts";
export type { UploadPolicy } from "./max/index.ts";
export { trackProgress } from "./progress.ts";
export {
  createPlatforms,
  isPlatformName,
  type Platforms,
  type PlatformsSettings,
  platformNames,
} from "./registry.ts";
export { readCompiled } from "./stored.ts";
