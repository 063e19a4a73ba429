import type { Twin, TwinContext } from "../shared/index.ts";
import { authorizeRoutes } from "./authorize.ts";
import { controlRoutes } from "./control.ts";
import { discoveryRoutes } from "./discovery.ts";
import { createProvider } from "./store.ts";
import { tokenRoutes } from "./tokens.ts";

/** A provider of OpenID Connect Core 1.0: the authorization code flow with PKCE, ID tokens in RS256, user info. */
export function createOidcTwin(context: TwinContext): Twin {
  const provider = createProvider(context);
  return {
    name: "oidc",
    async mount(app) {
      for (const routes of [discoveryRoutes, authorizeRoutes, tokenRoutes, controlRoutes]) {
        await app.register((scope) => routes(scope, provider));
      }
    },
    chats: () => [],
    messages: () => [],
    reset: () => provider.reset(),
  };
}
