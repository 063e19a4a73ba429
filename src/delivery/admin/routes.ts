import type { RouteModule } from "../../http/index.ts";
import type { CredentialDeps } from "../../workspaces/index.ts";
import { channelOperationRoutes } from "./channels/operation-routes.ts";
import { channelRoutes } from "./channels/routes.ts";
import { channelTestRoute } from "./channels/test/route.ts";
import type { ChannelTestDeps } from "./channels/test/test-channel.ts";
import { credentialRoutes } from "./credentials/routes.ts";
import { endpointRoutes } from "./endpoints/routes.ts";
import { limitRoutes } from "./limits/routes.ts";
import { sourceRoutes } from "./sources/routes.ts";
import { templateRoutes } from "./templates/routes.ts";

type AdminRoutesDeps = CredentialDeps & ChannelTestDeps & Parameters<typeof sourceRoutes>[1];

/** The configuration over HTTP. */
export function adminRoutes(deps: AdminRoutesDeps): RouteModule {
  return {
    name: "delivery.admin",
    routes(app) {
      endpointRoutes(app, deps);
      channelRoutes(app, deps);
      channelOperationRoutes(app, deps);
      channelTestRoute(app, deps);
      limitRoutes(app, deps);
      credentialRoutes(app, deps);
      templateRoutes(app, deps);
      sourceRoutes(app, deps);
    },
  };
}
