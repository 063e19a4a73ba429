import type { RouteModule } from "../http/index.ts";
import { attentionRoutes } from "./attention/index.ts";
import { deliveriesRoutes } from "./deliveries/routes.ts";
import type { Leases } from "./deliveries/why.ts";
import { draftRoutes } from "./drafts/draft-routes.ts";
import { type IngestRoutesDeps, ingestRoutes } from "./ingest/ingest-route.ts";
import { ingestProblems } from "./ingest/problems.ts";
import { postRoute } from "./posting/post-route.ts";
import { eventsRoute } from "./read/events-route.ts";
import { overviewRoute } from "./read/overview-route.ts";
import { renderRoute } from "./render/render-route.ts";

/** The routes of delivery. */
export function deliveryRoutes(deps: IngestRoutesDeps & { leases?: Leases | undefined }): RouteModule {
  return {
    name: "delivery",
    problems: ingestProblems,
    routes(app) {
      ingestRoutes(app, deps);
      overviewRoute(app, deps);
      eventsRoute(app, deps);
      deliveriesRoutes(app, deps);
      renderRoute(app, deps);
      attentionRoutes(app, deps);
      postRoute(app, deps);
      draftRoutes(app, deps);
    },
  };
}
