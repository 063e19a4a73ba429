import type { App, RouteModule } from "../http/index.ts";
import { adminRoutes } from "./admin/routes.ts";
import { askRoute } from "./ask/route.ts";
import type { AdvisorDeps } from "./deps.ts";
import { answerError } from "./door/answer-error.ts";
import { requireTls, requireToken } from "./door/guard.ts";
import { healthRoute } from "./door/health.ts";
import { Refusal } from "./door/refusal.ts";
import { mediaInitRoute, uploadRoute } from "./media/routes.ts";
import { deletionRoute } from "./people/deletion.ts";
import { historyRoute } from "./people/history.ts";
import { peopleRoutes } from "./people/me.ts";
import { petRoutes } from "./pets/routes.ts";
import { pets } from "./subject/pets.ts";

/** What the advisor brings to the server: `/v1`, with errors of its own form, and what operators need. */
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
  // Else the console's page would answer, which no client of this door can read.
  app.all("/v1/*", { schema: { hide: true } }, async () => {
    throw new Refusal("not_found", "unknown_path", "There is nothing here; the paths are in /docs.");
  });
  await app.register(async (scope: App) => uploadRoute(scope, deps));
  await app.register(async (guarded: App) => {
    guarded.addHook("onRequest", async (request) => requireToken(request, deps.settings));
    askRoute(guarded, deps, pets);
    peopleRoutes(guarded, deps);
    historyRoute(guarded, deps, pets);
    deletionRoute(guarded, deps);
    petRoutes(guarded, deps, pets);
    mediaInitRoute(guarded, deps, pets);
  });
}
