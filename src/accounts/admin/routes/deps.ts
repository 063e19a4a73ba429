import type { UseAccount } from "../../use-account.ts";
import type { AutopublishDeps } from "../autopublish.ts";

/** What the owners' routes need. */
export interface AccountRoutesDeps extends AutopublishDeps {
  readonly use: UseAccount;
}
