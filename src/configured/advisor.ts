import { type AdvisorSettings, demoToken } from "../advisor/index.ts";
import { type Config, takesPublishedSecrets } from "../kernel/config/index.ts";
import { randomToken } from "../kernel/crypto/index.ts";
import { version } from "../kernel/paths/index.ts";
import { publicUrlOf } from "./addresses.ts";

export function advisorSettingsOf(config: Config, publicUrl: () => string): AdvisorSettings {
  return {
    token: config.BOT_BACKEND_TOKEN ?? demoTokenOf(config),
    version: config.APP_VERSION ?? version,
    publicUrl,
    behindTls: config.APP_ENV === "prod" || publicUrlOf(config).startsWith("https:"),
    freeDailyLimit: config.FREE_DAILY_LIMIT,
    cooldownSec: config.COOLDOWN_SEC,
    freeTtlSec: config.DEFAULT_FREE_TTL_SEC,
    proTtlSec: config.PRO_SESSION_TTL_SEC,
    researchLimit: config.PRO_RESEARCH_LIMIT,
    photoLimit: config.PRO_VISION_IMAGE_LIMIT_MONTH,
    maxTurns: config.SESSION_MAX_TURNS,
  };
}

/** A demo that others reach gets a token of its own: its bot and its `/v1` live in one process. */
function demoTokenOf(config: Config): string | undefined {
  if (config.MOLVA_ENV !== "demo") return undefined;
  return takesPublishedSecrets(config) ? demoToken : randomToken();
}
