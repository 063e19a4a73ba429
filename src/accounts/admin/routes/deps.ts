import type { AdminDeps } from "../../../delivery/index.ts";
import type { UseAccount } from "../../use-account.ts";

/** What the owners' routes need. */
export interface AccountRoutesDeps extends AdminDeps {
  readonly use: UseAccount;
}
