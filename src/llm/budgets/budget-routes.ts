import type { App } from "../../http/index.ts";
import { pageOfAll, workspaceRoutes } from "../../workspaces/index.ts";
import type { RouteDeps } from "../route-deps.ts";
import { budgetCap, budgetKey, budgetSchema } from "./budget-shape.ts";
import { listBudgets, removeBudget, setBudget } from "./budgets.ts";

export function budgetRoutes(app: App, deps: RouteDeps): void {
  const { sql, clock } = deps;
  const routes = workspaceRoutes(app, sql, { under: "/api/v1/llm/budgets", tag: "llm" });

  routes.list(
    "",
    {
      scope: "read",
      summary: "Caps, with what counts against each now",
      item: budgetSchema,
    },
    async ({ workspaceId, page }) => pageOfAll(await listBudgets(sql, workspaceId, clock.now()), page),
  );
  routes.put(
    "/:scope/:subject/:period/:unit",
    {
      scope: "admin",
      summary: "Set a cap for the workspace, for users or for policies; * is each of them for itself",
      params: budgetKey,
      body: budgetCap,
      answer: budgetSchema,
    },
    ({ workspaceId, params: key, body, by }) => setBudget(deps, workspaceId, key, body.cap, by),
  );
  routes.delete(
    "/:scope/:subject/:period/:unit",
    { scope: "admin", summary: "Lift a cap", params: budgetKey },
    ({ workspaceId, params: key, by, dryRun }) => removeBudget(deps, workspaceId, key, by, { dryRun }),
  );
}
