import type { Transaction } from "../../kernel/db/index.ts";
import { readSettings } from "../settings/settings.ts";
import type { AccountKey, GovernedPace } from "../work/governor.ts";
import { lockForPlan } from "./account-state.ts";
import type { PlanDeps } from "./deps.ts";
import { planAccount } from "./plan-account.ts";
import { writePlan } from "./write-plan.ts";

/** Gives everything that waits for the account another time, in its order and from now on, or from `notBefore`. */
export async function respaceAccount(deps: PlanDeps, account: AccountKey, notBefore?: Date): Promise<void> {
  const pace = await deps.governor.paceOf(account);
  await deps.sql.begin((tx) => respaceWithin(tx, deps, account, pace, notBefore));
}

export async function respaceWithin(
  tx: Transaction,
  { clock, chance = Math.random }: PlanDeps,
  account: AccountKey,
  pace: GovernedPace,
  notBefore?: Date,
): Promise<void> {
  const now = clock.now();
  const settings = await readSettings(tx, account.workspaceId);
  const state = await lockForPlan(tx, account, { pace, settings, now });
  if (state)
    await writePlan(
      tx,
      account,
      planAccount({ ...state, now, fresh: [], respace: true, notBefore, chance }),
      now,
    );
}
