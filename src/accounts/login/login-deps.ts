import type { Clock } from "../../kernel/clock/index.ts";
import type { Vault } from "../../kernel/crypto/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import type { AccountDriver } from "../../platforms/index.ts";
import { accountsProblem } from "../admin/problems.ts";
import type { PlanDeps } from "../plan/plan-deps.ts";

export interface LoginDeps {
  readonly sql: Sql;
  /** Real time, not the accounts' demo clock. */
  readonly clock: Clock;
  readonly vault: Vault;
  readonly planning: PlanDeps;
  /** Absent when no Telegram application is configured. */
  readonly driver: AccountDriver | undefined;
}

export function driverOf({ driver }: LoginDeps): AccountDriver {
  if (!driver) throw accountsProblem("telegram_not_configured");
  return driver;
}
