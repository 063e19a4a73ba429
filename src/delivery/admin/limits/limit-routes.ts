import { z } from "zod";
import type { App } from "../../../http/index.ts";
import { type AdminDeps, workspaceRoutes } from "../../../workspaces/index.ts";
import { key, platform } from "../fields.ts";
import { limitChange, limitSchema } from "./limit-shape.ts";
import { deleteLimit, limitPage, readLimit, setLimit } from "./limits.ts";

const params = z.object({ platform, rate_group: key });

export function limitRoutes(app: App, deps: AdminDeps): void {
  const { sql } = deps;
  const routes = workspaceRoutes(app, sql, { under: "/api/v1/limits", tag: "limits" });

  routes.list(
    "",
    { scope: "read", summary: "What rate groups may send together", item: limitSchema },
    ({ workspaceId, page }) => limitPage(sql, workspaceId, page),
  );
  routes.get(
    "/:platform/:rate_group",
    { scope: "read", summary: "The limit of one group", params, answer: limitSchema },
    ({ workspaceId, params }) => readLimit(sql, workspaceId, params),
  );
  routes.put(
    "/:platform/:rate_group",
    { scope: "write", summary: "Set the limit of a group", params, body: limitChange, answer: limitSchema },
    ({ workspaceId, params, body, by }) => setLimit(deps, workspaceId, params, body.rate_rps, by),
  );
  routes.delete(
    "/:platform/:rate_group",
    { scope: "write", summary: "Forget the limit of a group, which then has none", params },
    ({ workspaceId, params, by, dryRun }) => deleteLimit(deps, workspaceId, params, by, { dryRun }),
  );
}
