import type { Vault } from "../../kernel/crypto/index.ts";
import type { AccountDriver } from "../../platforms/index.ts";
import { accountsProblem } from "../admin/problems.ts";
import type { PlanDeps } from "../plan/deps.ts";

export interface LoginDeps extends PlanDeps {
  readonly vault: Vault;
  /** Absent when no Telegram application is configured. */
  readonly driver: AccountDriver | undefined;
}

export function driverOf({ driver }: LoginDeps): AccountDriver {
  if (!driver) throw accountsProblem("telegram_not_configured");
  return driver;
}
