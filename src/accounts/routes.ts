import type { RouteModule } from "../http/index.ts";
import { accountsProblems } from "./admin/problems.ts";
import { accountRoutes } from "./admin/routes/account-routes.ts";
import { chatRoutes } from "./admin/routes/chat-routes.ts";
import { configRoutes } from "./admin/routes/config-routes.ts";
import { diagnosticRoutes } from "./admin/routes/diagnostic-routes.ts";
import { joinRoutes } from "./admin/routes/join-routes.ts";
import { objectRoutes } from "./admin/routes/object-routes.ts";
import type { AccountRoutesDeps } from "./admin/routes/owners-routes.ts";
import { queueRoutes } from "./admin/routes/queue-routes.ts";
import { settingsRoutes } from "./admin/routes/settings-routes.ts";

export function accountsRoutes(deps: AccountRoutesDeps): RouteModule {
  return {
    name: "accounts",
    problems: accountsProblems,
    routes(app) {
      accountRoutes(app, deps);
      chatRoutes(app, deps);
      joinRoutes(app, deps);
      objectRoutes(app, deps);
      configRoutes(app, deps);
      queueRoutes(app, deps);
      diagnosticRoutes(app, deps);
      settingsRoutes(app, deps);
    },
  };
}
