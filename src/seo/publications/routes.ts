import { z } from "zod";
import type { App } from "../../http/index.ts";
import { type AdminDeps, reason } from "../../workspaces/index.ts";
import { person, personRoutes, readFor, whoseOf } from "../people/person-routes.ts";
import { idText } from "../people/whose.ts";
import { cancelPreview, previewPage, readPreview } from "../previews/previews.ts";
import { previewSchema, previewStatuses, wholePreviewSchema } from "../previews/shape.ts";
import { rankCheckSchema, ranksOf } from "../ranks/ranks.ts";
import { publicationPage } from "./publications.ts";
import { contentTypes, publicationSchema, publicationStatuses } from "./shape.ts";

export function publicationRoutes(app: App, deps: AdminDeps): void {
  const { sql } = deps;
  const routes = personRoutes(app, deps);
  routes.list(
    "/publications",
    {
      scope: "people",
      summary: "What was published for a person, the newest first; each reading is recorded",
      params: z.object(person),
      query: {
        project_id: idText.optional(),
        category_id: idText.optional(),
        status: z.enum(publicationStatuses).optional(),
        content_type: z.enum(contentTypes).optional(),
      },
      item: publicationSchema,
    },
    async (asked) =>
      publicationPage(sql, await readFor(deps, asked, "publications"), { ...asked.query, ...asked.page }),
  );
  routes.get(
    "/publications/:publication_id/ranks",
    {
      scope: "people",
      summary:
        "Where an article's page stood in Google's results, the newest check first; each reading is recorded",
      params: z.object({ ...person, publication_id: idText }),
      answer: z.object({ items: z.array(rankCheckSchema) }),
    },
    async (asked) => ({
      items: await ranksOf(sql, await readFor(deps, asked, "ranks"), asked.params.publication_id),
    }),
  );
  routes.list(
    "/previews",
    {
      scope: "people",
      summary: "Articles that wait, or waited, for a decision, the newest first; each reading is recorded",
      params: z.object(person),
      query: { status: z.enum(previewStatuses).optional() },
      item: previewSchema,
    },
    async (asked) =>
      previewPage(sql, await readFor(deps, asked, "previews"), { ...asked.query, ...asked.page }),
  );
  const params = z.object({ ...person, preview_id: idText });
  routes.get(
    "/previews/:preview_id",
    {
      scope: "people",
      summary: "One article with its text; each reading is recorded",
      params,
      answer: wholePreviewSchema,
    },
    async (asked) => readPreview(sql, await readFor(deps, asked, "preview"), asked.params.preview_id),
  );
  routes.post(
    "/previews/:preview_id/cancel",
    {
      scope: "operate",
      summary: "Cancel a draft; what was held for it goes back",
      params,
      body: z.strictObject({ reason: reason.optional() }),
      answer: previewSchema.extend({ returned: z.int().describe("Tokens that went back") }),
    },
    async (asked) => {
      const { preview, returned } = await cancelPreview(
        deps,
        whoseOf(asked),
        asked.params.preview_id,
        asked.by,
      );
      return { ...preview, returned };
    },
  );
}
