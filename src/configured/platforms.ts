import type { Config } from "../kernel/config/index.ts";
import { createPlatforms, type Platforms } from "../platforms/index.ts";
import type { Core } from "../workspaces/index.ts";

export function platformsOf(config: Config, { telegram, max }: Core["apiRoots"]): Platforms {
  return createPlatforms({
    telegramApiRoot: telegram,
    maxApiRoot: max,
    requestTimeoutMs: config.MOLVA_SEND_TIMEOUT_SECONDS * 1000,
    maxUploadPolicy: config.MAX_UPLOAD_POLICY,
  });
}
