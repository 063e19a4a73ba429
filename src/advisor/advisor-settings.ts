import { settingsOf } from "../kernel/config/index.ts";
import { sha256Hex } from "../kernel/crypto/index.ts";
import type { Core } from "../workspaces/index.ts";
import { advisorSettings } from "./environment.ts";

export interface PlanSettings {
  readonly freeDailyLimit: number;
  readonly cooldownSec: number;
  readonly freeTtlSec: number;
  readonly proTtlSec: number;
  readonly researchLimit: number;
  readonly photoLimit: number;
  readonly maxTurns: number;
}

export function planSettingsOf(core: Pick<Core, "config">): PlanSettings {
  const settings = settingsOf(core, advisorSettings);
  return {
    freeDailyLimit: settings.FREE_DAILY_LIMIT,
    cooldownSec: settings.COOLDOWN_SEC,
    freeTtlSec: settings.DEFAULT_FREE_TTL_SEC,
    proTtlSec: settings.PRO_SESSION_TTL_SEC,
    researchLimit: settings.PRO_RESEARCH_LIMIT,
    photoLimit: settings.PRO_VISION_IMAGE_LIMIT_MONTH,
    maxTurns: settings.SESSION_MAX_TURNS,
  };
}

export interface AdvisorSettings extends PlanSettings {
  /** The clients' token; without it all requests are refused. */
  readonly token: string | undefined;
  readonly version: string;
  /** Base of upload URLs. */
  readonly publicUrl: () => string;
  /** Refuses plain HTTP from outside, which would reveal the token. */
  readonly behindTls: boolean;
}

export type Plan = "free" | "pro";

/** Recognises a person on the day they deleted their data; cannot be reversed without the token. */
export function traceOf({ token }: AdvisorSettings, telegramUserId: number): string {
  return sha256Hex(`advisor person ${token ?? ""} ${telegramUserId}`);
}

/** The form that the database functions take; a daily limit of -1 means none. */
export function plansOf({ freeDailyLimit, cooldownSec, researchLimit, photoLimit }: PlanSettings) {
  return {
    free: { daily: freeDailyLimit, cooldown_sec: cooldownSec },
    pro: { daily: -1, cooldown_sec: 0 },
    research_limit: researchLimit,
    photo_limit: photoLimit,
  };
}
