import { type By, inOneChange, noteChange } from "../../workspaces/index.ts";
import { billingProblem } from "../problems.ts";
import type { Subscription } from "./shape.ts";
import { type RecurringDeps, readSubscription, setRecurring } from "./subscriptions.ts";

/** An operator cancels a subscription at the end of its paid period; who and why is recorded in the audit trail. */
export async function cancelSubscription(
  deps: RecurringDeps,
  workspaceId: string,
  id: number,
  by: By & { readonly reason: string },
): Promise<Subscription> {
  const { sql, clock } = deps;
  const subscription = await readSubscription(sql, workspaceId, id);
  const meta = { object: "billing_subscription", subscription_id: id, user_id: subscription.user_id };
  await inOneChange(sql, (tx) => noteChange(tx, { workspaceId, now: clock.now(), by, meta }));
  const answer = await setRecurring(deps, workspaceId, subscription, false);
  if (answer.kind !== "done")
    throw billingProblem(answer.kind === "refused" ? "provider_refused" : "provider_unheard", {
      detail: answer.reason,
    });
  return readSubscription(sql, workspaceId, id);
}
