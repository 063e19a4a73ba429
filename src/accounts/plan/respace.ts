import type { Transaction } from "../../kernel/db/index.ts";
import { readSettings } from "../settings/settings.ts";
import type { AccountKey } from "../work/governor.ts";
import { lockForPlan } from "./account-state.ts";
import type { PlanDeps } from "./deps.ts";
import { foresee } from "./foresee.ts";
import { planAccount } from "./plan-account.ts";
import { writePlan } from "./write-plan.ts";

/** Gives everything that waits for the account another time, in its order and from now on, or from `notBefore`. */
export async function respaceAccount(deps: PlanDeps, account: AccountKey, notBefore?: Date): Promise<void> {
  await deps.sql.begin((tx) => respaceWithin(tx, deps, account, notBefore));
}

/** The same only if something could not go at its time: what other accounts have planned since makes texts wait. */
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
