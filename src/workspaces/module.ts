import { every } from "../kernel/jobs/index.ts";
import type { Core } from "./core.ts";
import { prepareEventPartitions } from "./events/partitions.ts";
import { tenantRoutes } from "./tenants/workspace-routes.ts";
import { tokenRoutes } from "./tokens/token-routes.ts";

/** Tenants and their audit trail. */
export const workspaces = {
  name: "workspaces",
  wire: ({ sql, clock, storage }: Core) => ({
    routes: [tenantRoutes({ sql, clock, storage }), tokenRoutes({ sql, clock })],
    cron: [
      every("7 */6 * * *", "workspaces.prepare_event_partitions", () =>
        prepareEventPartitions(sql, clock.now()),
      ),
    ],
  }),
};
