import type { Config } from "../kernel/config/index.ts";
import { createMaxBot, createPlatforms, type MaxBot, type Platforms } from "../platforms/index.ts";
import { apiRootOf } from "./addresses.ts";

export function platformsOf(
  config: Config,
  environment: Readonly<Record<string, string | undefined>>,
  twinsUrl: string | undefined,
): Platforms {
  return createPlatforms({
    telegramApiRoot: apiRootOf("TELEGRAM_API_ROOT", "telegram", config, environment, twinsUrl),
    maxApiRoot: apiRootOf("MAX_API_ROOT", "max", config, environment, twinsUrl),
    requestTimeoutMs: config.MOLVA_SEND_TIMEOUT_SECONDS * 1000,
    maxUploadPolicy: config.MAX_UPLOAD_POLICY,
  });
}

/** What bots do in MAX besides posting. */
export function maxBotOf(
  config: Config,
  environment: Readonly<Record<string, string | undefined>>,
  twinsUrl: string | undefined,
): MaxBot {
  return createMaxBot({
    apiRoot: apiRootOf("MAX_API_ROOT", "max", config, environment, twinsUrl),
    requestTimeoutMs: config.MOLVA_SEND_TIMEOUT_SECONDS * 1000,
  });
}
