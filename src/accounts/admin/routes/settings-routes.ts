import type { App } from "../../../http/index.ts";
import { readSettings } from "../../settings/settings.ts";
import { whoOf } from "../access.ts";
import { changeSettings, settingsChanges, settingsSchema } from "../settings.ts";
import type { AccountRoutesDeps } from "./deps.ts";
import { ownersRoutes, why } from "./request.ts";

/** What holds for all accounts of a workspace. */
export function settingsRoutes(app: App, deps: AccountRoutesDeps): void {
  const routes = ownersRoutes(app, deps.sql);

  routes.get(
    "/settings",
    {
      scope: "read",
      summary: "Repeats, the limiter, what admins may pass, and districts",
      answer: settingsSchema,
    },
    ({ workspaceId }) => readSettings(deps.sql, workspaceId),
  );
  routes.patch(
    "/settings",
    {
      scope: "admin",
      summary: "Change settings; what is not given stays",
      body: settingsChanges.extend(why),
      answer: settingsSchema,
    },
    ({ workspaceId, body, by, request }) =>
      changeSettings(deps, workspaceId, body, whoOf(request, by.reason)),
  );
}
