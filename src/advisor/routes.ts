import type { App, RouteModule } from "../http/index.ts";
import { adminRoutes } from "./admin/admin-routes.ts";
import { askRoute } from "./ask/ask-route.ts";
import type { AdvisorDeps } from "./deps.ts";
import { mediaInitRoute, uploadRoute } from "./media/media-routes.ts";
import { deletionRoute } from "./people/delete-route.ts";
import { historyRoute } from "./people/history-route.ts";
import { peopleRoutes } from "./people/me-routes.ts";
import { paidPlanRoute } from "./people/paid-plan.ts";
import { petRoutes } from "./pets/pet-routes.ts";
import { pets } from "./subject/pets.ts";
import { answerError } from "./v1/error-response.ts";
import { requireTls, requireToken } from "./v1/guard.ts";
import { healthRoute } from "./v1/health.ts";
import { Refusal } from "./v1/refusal.ts";

/** `/v1` with its own error format, and routes for operators. */
export function advisorRoutes(deps: AdvisorDeps): RouteModule {
  return {
    name: "advisor",
    async routes(app) {
      adminRoutes(app, deps);
      await app.register(async (scope: App) => serviceRoutes(scope, deps));
    },
  };
}

async function serviceRoutes(app: App, deps: AdvisorDeps): Promise<void> {
  app.setErrorHandler(answerError);
  app.addHook("onRequest", async (request) => requireTls(request, deps.settings));
  healthRoute(app, deps);
  // Otherwise the console's page would answer unknown paths.
  app.all("/v1/*", { schema: { hide: true } }, async () => {
    throw new Refusal("not_found", "unknown_path", "There is nothing here; the paths are in /docs.");
  });
  await app.register(async (scope: App) => uploadRoute(scope, deps));
  await app.register(async (guarded: App) => {
    guarded.addHook("onRequest", async (request) => requireToken(request, deps.settings));
    askRoute(guarded, deps, pets);
    peopleRoutes(guarded, deps);
    paidPlanRoute(guarded, deps);
    historyRoute(guarded, deps, pets);
    deletionRoute(guarded, deps);
    petRoutes(guarded, deps, pets);
    mediaInitRoute(guarded, deps, pets);
  });
}
