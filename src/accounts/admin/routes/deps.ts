import type { PlanDeps } from "../../plan/deps.ts";
import type { UseAccount } from "../../use-account.ts";

/** What the owners' routes need. */
export interface AccountRoutesDeps extends PlanDeps {
  readonly use: UseAccount;
}
