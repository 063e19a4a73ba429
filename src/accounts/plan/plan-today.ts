import type { Placeable, Placed } from "./place.ts";
import { type AccountPlan, type PlanRequest, planAccount } from "./plan-account.ts";

/** The plan of today, and when to expect what it has no room for, if the days to come are used like this one. */
export function planToday<T extends Placeable>(
  request: Omit<PlanRequest<T>, "spill">,
): { readonly plan: AccountPlan<T>; readonly expected: readonly Placed<T>[] } {
  const ahead = request.forecast?.fork();
  const plan = planAccount(request);
  if (plan.left.length === 0) return { plan, expected: [] };
  const left = new Set(plan.left);
  const { create } = planAccount({ ...request, forecast: ahead, spill: true });
  return { plan, expected: create.filter(({ task }) => left.has(task)) };
}
