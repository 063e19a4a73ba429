import { every } from "../kernel/jobs/index.ts";
import { auditRoutes } from "./audit/audit-routes.ts";
import type { Core } from "./core.ts";
import { sealedSecrets } from "./credentials/sealed-secrets.ts";
import { prepareEventPartitions } from "./events/partitions.ts";
import { memberRoutes } from "./members/member-routes.ts";
import { tenantRoutes } from "./tenants/workspace-routes.ts";
import { tokenRoutes } from "./tokens/token-routes.ts";

/** Tenants and their audit trail. */
export const workspaces = {
  name: "workspaces",
  sealed: sealedSecrets,
  wire: ({ sql, clock, storage, vault, publicUrl }: Core) => ({
    routes: [
      tenantRoutes({ sql, clock, storage }),
      tokenRoutes({ sql, clock }),
      auditRoutes({ sql, clock, vault }),
      memberRoutes({ sql, clock, publicUrl }),
    ],
    cron: [
      every("7 */6 * * *", "workspaces.prepare_event_partitions", () =>
        prepareEventPartitions(sql, clock.now()),
      ),
    ],
  }),
};
