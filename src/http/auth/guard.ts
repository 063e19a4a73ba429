import type { App } from "../app.ts";
import { type AuthDeps, authenticate } from "./authenticate.ts";
import { requireInstallation, requireScope } from "./caller.ts";

const apiRoot = "/api/v1/";

/**
 * Checks that the caller has the scope of the route. The server does not start if a route of the API declares no scope, and a route
 * that does not say what it is about is for those whose rights cover all workspaces, so that a forgotten line opens nothing.
 */
export function guardRoutes(app: App, deps: AuthDeps): void {
  app.decorateRequest("caller", null);

  app.addHook("onRoute", ({ url, method, config }) => {
    if (servesApi(url) && !config?.scope) {
      throw new Error(`${[method].flat().join(", ")} ${url} declares no scope: add config: { scope: … }`);
    }
  });

  app.addHook("onRequest", async (request, reply) => {
    const { scope, about = "installation" } = request.routeOptions.config;
    if (!scope || scope === "public") return;
    const caller = await authenticate(request, reply, deps);
    request.caller = caller;
    if (about === "caller" && caller.kind === "operator") return;
    requireScope(caller, scope);
    if (about === "installation") requireInstallation(request);
  });
}

/** Also true for a pattern outside the API that could match one of its paths, such as `/*`. */
function servesApi(url: string): boolean {
  const fixed = url.split(/[:*]/)[0] ?? "";
  return `${fixed}/`.startsWith(apiRoot) || (fixed !== url && apiRoot.startsWith(fixed));
}
