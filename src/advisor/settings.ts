import { sha256Hex } from "../kernel/crypto/index.ts";

/** What an installation decides about the advisor. */
export interface AdvisorSettings {
  /** What clients show to be let in; without it nobody is. */
  readonly token: string | undefined;
  readonly version: string;
  /** Where upload addresses lead. */
  readonly publicUrl: () => string;
  /** Plain HTTP from outside is refused: a token on it is a token given away. */
  readonly behindTls: boolean;
  readonly freeDailyLimit: number;
  readonly cooldownSec: number;
  readonly freeTtlSec: number;
  readonly proTtlSec: number;
  readonly researchLimit: number;
  readonly photoLimit: number;
  readonly maxTurns: number;
}

export type Plan = "free" | "pro";

/** By which somebody is known again on the day they deleted everything; without the token it leads to nobody. */
export function traceOf({ token }: AdvisorSettings, telegramUserId: number): string {
  return sha256Hex(`advisor person ${token ?? ""} ${telegramUserId}`);
}

/** The plans in the form that the functions of the database take; a daily limit of -1 is none. */
export function plansOf({ freeDailyLimit, cooldownSec, researchLimit, photoLimit }: AdvisorSettings) {
  return {
    free: { daily: freeDailyLimit, cooldown_sec: cooldownSec },
    pro: { daily: -1, cooldown_sec: 0 },
    research_limit: researchLimit,
    photo_limit: photoLimit,
  };
}
