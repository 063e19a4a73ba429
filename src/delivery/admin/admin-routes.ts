import type { RouteModule } from "../../http/index.ts";
import type { CredentialDeps } from "../../workspaces/index.ts";
import type { IndexNowKeyDeps } from "../readback/index.ts";
import { indexNowRoutes } from "../readback/indexnow/indexnow-routes.ts";
import { channelOperationRoutes } from "./channels/channel-operation-routes.ts";
import { channelRoutes } from "./channels/channel-routes.ts";
import { channelTestRoute } from "./channels/test/channel-test-route.ts";
import type { ChannelTestDeps } from "./channels/test/test-channel.ts";
import { credentialRoutes } from "./credentials/credential-routes.ts";
import { placesRoute } from "./credentials/places.ts";
import { endpointRoutes } from "./endpoints/endpoint-routes.ts";
import { limitRoutes } from "./limits/limit-routes.ts";
import { sourceRoutes } from "./sources/source-routes.ts";
import { templateRoutes } from "./templates/template-routes.ts";

type AdminRoutesDeps = CredentialDeps &
  ChannelTestDeps &
  IndexNowKeyDeps &
  Parameters<typeof sourceRoutes>[1];

/** The configuration over HTTP. */
export function adminRoutes(deps: AdminRoutesDeps): RouteModule {
  return {
    name: "delivery.admin",
    routes(app) {
      endpointRoutes(app, deps);
      channelRoutes(app, deps);
      channelOperationRoutes(app, deps);
      channelTestRoute(app, deps);
      indexNowRoutes(app, deps);
      limitRoutes(app, deps);
      credentialRoutes(app, deps);
      placesRoute(app, deps);
      templateRoutes(app, deps);
      sourceRoutes(app, deps);
    },
  };
}
