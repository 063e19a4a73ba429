import type { RouteModule } from "../http/index.ts";
import { botProblems } from "./admin/bot-problems.ts";
import { botRoutes } from "./admin/routes/bot-routes.ts";
import type { BotRoutesDeps } from "./admin/routes/deps.ts";
import { dialogueRoutes } from "./admin/routes/dialogue-routes.ts";
import { ruleRoutes } from "./admin/routes/rule-routes.ts";
import { webhookRoute } from "./ingest/webhook-route.ts";

export function shopBotRoutes(deps: BotRoutesDeps): RouteModule {
  return {
    name: "shopbot",
    problems: botProblems,
    routes(app) {
      webhookRoute(app, deps);
      botRoutes(app, deps);
      ruleRoutes(app, deps);
      dialogueRoutes(app, deps);
    },
  };
}
