import type { RouteModule } from "../http/index.ts";
import { budgetRoutes } from "./budgets/budget-routes.ts";
import { policyRoutes } from "./policies/policy-routes.ts";
import { promptRoutes } from "./prompts/prompt-routes.ts";
import type { RouteDeps } from "./route-deps.ts";
import { usageRoutes } from "./usage/usage-routes.ts";

/** The HTTP API of the gateway for operators. */
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
