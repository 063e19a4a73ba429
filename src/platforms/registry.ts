import type { Platform, PlatformName } from "./contract.ts";
import { createMax, type UploadPolicy } from "./max/index.ts";
import { createTelegram } from "./telegram/index.ts";
import { withoutToken } from "./without-token.ts";

export const platformNames = ["telegram", "max"] as const satisfies readonly PlatformName[];

/** Addresses and waits; what is absent is the adapter's own default. */
export interface PlatformsSettings {
  readonly telegramApiRoot: string;
  readonly maxApiRoot: string;
  readonly maxUploadPolicy?: UploadPolicy;
  /** How long to wait between tries while MAX still processes an uploaded file. */
  readonly maxNotReadyWaitsMs?: readonly number[];
  readonly requestTimeoutMs?: number;
  readonly uploadTimeoutMs?: number;
}

export interface Platforms {
  readonly all: readonly Platform[];
  platformOf(name: PlatformName): Platform;
}

/** Every platform. Adding one is a line here and in `platformNames`. */
export function createPlatforms(settings: PlatformsSettings): Platforms {
  const { requestTimeoutMs, uploadTimeoutMs, maxUploadPolicy, maxNotReadyWaitsMs } = settings;
  const timeouts = {
    ...(requestTimeoutMs !== undefined && { requestTimeoutMs }),
    ...(uploadTimeoutMs !== undefined && { uploadTimeoutMs }),
  };
  const platforms: Record<PlatformName, Platform> = {
    telegram: withoutToken(createTelegram({ apiRoot: settings.telegramApiRoot, ...timeouts })),
    max: withoutToken(
      createMax({
        apiRoot: settings.maxApiRoot,
        ...timeouts,
        ...(maxUploadPolicy && { uploadPolicy: maxUploadPolicy }),
        ...(maxNotReadyWaitsMs && { notReadyWaitsMs: maxNotReadyWaitsMs }),
      }),
    ),
  };
  return { all: Object.values(platforms), platformOf: (name) => platforms[name] };
}

export function isPlatformName(name: string): name is PlatformName {
  return platformNames.some((known) => known === name);
}
