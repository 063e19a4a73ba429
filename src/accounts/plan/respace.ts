import type { Transaction } from "../../kernel/db/index.ts";
import { readSettings } from "../settings/workspace-settings.ts";
import type { AccountKey } from "../work/governor-contract.ts";
import { lockForPlan } from "./account-state.ts";
import { planAccount } from "./plan-account.ts";
import type { PlanDeps } from "./plan-deps.ts";
import { foresee } from "./with-forecast.ts";
import { writePlan } from "./write-plan.ts";

/** Reschedules all pending tasks of the account in their order, from now or from `notBefore`. */
export async function respaceAccount(deps: PlanDeps, account: AccountKey, notBefore?: Date): Promise<void> {
  await deps.sql.begin((tx) => respaceWithin(tx, deps, account, notBefore));
}

/** Reschedules only if a task could not go at its time, because of what other accounts have planned since. */
export async function respaceIfNeeded(tx: Transaction, deps: PlanDeps, account: AccountKey): Promise<void> {
  await respaceWithin(tx, deps, account, undefined, { ifNeeded: true });
}

export async function respaceWithin(
  tx: Transaction,
  { clock, governor, chance = Math.random }: PlanDeps,
  account: AccountKey,
  notBefore?: Date,
  { ifNeeded = false }: { readonly ifNeeded?: boolean } = {},
): Promise<void> {
  const now = clock.now();
  const settings = await readSettings(tx, account.workspaceId);
  const state = await lockForPlan(tx, account, { settings, now });
  if (!state || state.open.length === 0) return;
  const foreseen = await foresee(tx, governor, account, state, { fresh: [], now });
  const plan = planAccount({ ...state, ...foreseen, now, respace: !ifNeeded, notBefore, chance });
  await writePlan(tx, account, plan, now);
}
