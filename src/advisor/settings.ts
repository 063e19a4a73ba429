import type { Config } from "../kernel/config/index.ts";
import { sha256Hex } from "../kernel/crypto/index.ts";

/** What each plan allows. */
export interface PlanSettings {
  readonly freeDailyLimit: number;
  readonly cooldownSec: number;
  readonly freeTtlSec: number;
  readonly proTtlSec: number;
  readonly researchLimit: number;
  readonly photoLimit: number;
  readonly maxTurns: number;
}

export function planSettingsOf(config: Config): PlanSettings {
  return {
    freeDailyLimit: config.FREE_DAILY_LIMIT,
    cooldownSec: config.COOLDOWN_SEC,
    freeTtlSec: config.DEFAULT_FREE_TTL_SEC,
    proTtlSec: config.PRO_SESSION_TTL_SEC,
    researchLimit: config.PRO_RESEARCH_LIMIT,
    photoLimit: config.PRO_VISION_IMAGE_LIMIT_MONTH,
    maxTurns: config.SESSION_MAX_TURNS,
  };
}

/** What an installation decides about the advisor. */
export interface AdvisorSettings extends PlanSettings {
  /** What clients show to be let in; without it nobody is. */
  readonly token: string | undefined;
  readonly version: string;
  /** Where upload addresses lead. */
  readonly publicUrl: () => string;
  /** Plain HTTP from outside is refused: a token on it is a token given away. */
  readonly behindTls: boolean;
}

export type Plan = "free" | "pro";

/** By which somebody is known again on the day they deleted everything; without the token it leads to nobody. */
export function traceOf({ token }: AdvisorSettings, telegramUserId: number): string {
  return sha256Hex(`advisor person ${token ?? ""} ${telegramUserId}`);
}

/** The plans in the form that the functions of the database take; a daily limit of -1 is none. */
export function plansOf({ freeDailyLimit, cooldownSec, researchLimit, photoLimit }: PlanSettings) {
  return {
    free: { daily: freeDailyLimit, cooldown_sec: cooldownSec },
    pro: { daily: -1, cooldown_sec: 0 },
    research_limit: researchLimit,
    photo_limit: photoLimit,
  };
}
