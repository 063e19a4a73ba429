import type { App } from "../../../http/index.ts";
import { readSettings } from "../../settings/settings.ts";
import { changeSettings, settingsChanges, settingsSchema } from "../settings.ts";
import type { AccountRoutesDeps } from "./deps.ts";
import { asked, querystring, why } from "./request.ts";

const tags = ["accounts"];

/** What holds for all accounts of a workspace. */
export function settingsRoutes(app: App, deps: AccountRoutesDeps): void {
  const { sql } = deps;

  app.get(
    "/api/v1/accounts/settings",
    {
      config: { scope: "read" },
      schema: {
        tags,
        summary: "Repeats, the limiter, what admins may pass, and districts",
        querystring,
        response: { 200: settingsSchema },
      },
    },
    async (request) => readSettings(sql, (await asked(sql, request)).workspaceId),
  );

  app.patch(
    "/api/v1/accounts/settings",
    {
      config: { scope: "admin" },
      schema: {
        tags,
        summary: "Change settings; what is not given stays",
        querystring,
        body: settingsChanges.extend({ reason: why }),
        response: { 200: settingsSchema },
      },
    },
    async (request) => {
      const { reason, ...changes } = request.body;
      const { workspaceId, who } = await asked(sql, request, reason);
      return changeSettings(deps, workspaceId, changes, who);
    },
  );
}
