import type { DoorDeps } from "../delivery/index.ts";
import type { RouteModule } from "../http/index.ts";
import { botProblems } from "./admin/problems.ts";
import { webhookRoute } from "./ingest/route.ts";

/** What the shop bot brings to the server. */
export function shopBotRoutes(deps: DoorDeps): RouteModule {
  return {
    name: "shopbot",
    problems: botProblems,
    routes(app) {
      webhookRoute(app, deps);
    },
  };
}
