import type { App } from "../../../http/index.ts";
import { readSettings } from "../../settings/workspace-settings.ts";
import { whoOf } from "../access.ts";
import { changeSettings, settingsChanges, settingsSchema } from "../change-settings.ts";
import { type AccountRoutesDeps, ownersRoutes, why } from "./owners-routes.ts";

export function settingsRoutes(app: App, deps: AccountRoutesDeps): void {
  const routes = ownersRoutes(app, deps.sql);

  routes.get(
    "/settings",
    {
      scope: "read",
      summary: "Repeats, the limiter, exceptions for admins, and districts",
      answer: settingsSchema,
    },
    ({ workspaceId }) => readSettings(deps.sql, workspaceId),
  );
  routes.patch(
    "/settings",
    {
      scope: "admin",
      summary: "Change settings; omitted ones stay",
      body: settingsChanges.extend(why),
      answer: settingsSchema,
    },
    ({ workspaceId, body, by, request }) =>
      changeSettings(deps, workspaceId, body, whoOf(request, by.reason)),
  );
}
