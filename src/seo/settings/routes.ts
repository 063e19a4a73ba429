import { z } from "zod";
import type { App } from "../../http/index.ts";
import { type AdminDeps, reason } from "../../workspaces/index.ts";
import { person, personRoutes, readFor, whoseOf } from "../people/person-routes.ts";
import { idText } from "../people/whose.ts";
import { changeSettings, readSettings, resetSettings } from "./settings.ts";
import { contentSettingsSchema, imageChanges, platformTypes, textChanges } from "./shape.ts";

export const settingsChanges = z
  .strictObject({
    image: imageChanges.optional(),
    text: textChanges.optional(),
    reason: reason.optional(),
  })
  .refine(({ image, text }) => image !== undefined || text !== undefined, "Give image, text or both");

export function settingsRoutes(app: App, deps: AdminDeps): void {
  const routes = personRoutes(app, deps);
  const params = z.object({ ...person, category_id: idText });
  const query = {
    platform: z.enum(platformTypes).optional().describe("Of this platform; of the category unless given"),
  };
  routes.get(
    "/categories/:category_id/settings",
    {
      scope: "people",
      summary: "The content settings that hold, and where they come from; each reading is recorded",
      ...{ params, query, answer: contentSettingsSchema },
    },
    async (asked) => {
      const whose = await readFor(deps, asked, "settings");
      return readSettings(deps.sql, whose, asked.params.category_id, asked.query.platform);
    },
  );
  routes.patch(
    "/categories/:category_id/settings",
    {
      scope: "write",
      summary: "Change content settings of a category, or of one platform of it",
      ...{ params, query, body: settingsChanges, answer: contentSettingsSchema },
    },
    (asked) =>
      changeSettings(
        deps,
        whoseOf(asked),
        asked.params.category_id,
        asked.query.platform,
        { image: asked.body.image, text: asked.body.text },
        asked.by,
      ),
  );
  routes.delete(
    "/categories/:category_id/settings",
    {
      scope: "write",
      summary: "Back to inherited settings: a platform to its category's, a category to the defaults",
      ...{ params, query },
    },
    async ({ by, dryRun, query: { platform }, ...asked }) => {
      const { category_id } = asked.params;
      await readSettings(deps.sql, whoseOf(asked), category_id, platform);
      if (!dryRun) await resetSettings(deps, whoseOf(asked), category_id, platform, by);
    },
  );
}
