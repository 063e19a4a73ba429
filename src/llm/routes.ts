import type { RouteModule } from "../http/index.ts";
import type { RouteDeps } from "./admin/deps.ts";
import { budgetRoutes } from "./budgets/routes.ts";
import { policyRoutes } from "./policies/routes.ts";
import { promptRoutes } from "./prompts/routes.ts";
import { usageRoutes } from "./usage/routes.ts";

/** What operators see and change of the gateway, over HTTP. */
export function llmRoutes(deps: RouteDeps): RouteModule {
  return {
    name: "llm",
    routes(app) {
      policyRoutes(app, deps);
      promptRoutes(app, deps);
      budgetRoutes(app, deps);
      usageRoutes(app, deps);
    },
  };
}
