import type { UseAccount } from "../../use-account.ts";
import type { AutopublishDeps } from "../autopublish.ts";
import type { PaceDeps } from "../pace.ts";

/** What the owners' routes need. */
export interface AccountRoutesDeps extends AutopublishDeps, PaceDeps {
  readonly use: UseAccount;
}
