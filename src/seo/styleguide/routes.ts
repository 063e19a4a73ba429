import { z } from "zod";
import { longestSource } from "../../content/index.ts";
import { type App, problem } from "../../http/index.ts";
import { orderedSchema } from "../keywords/order-keywords.ts";
import { type Language, loadLanguage } from "../language/index.ts";
import { requestKey } from "../orders/request-key.ts";
import { person, personRoutes, readFor, whoseOf } from "../people/person-routes.ts";
import { idText } from "../people/whose.ts";
import type { Sources } from "../sources/sources.ts";
import type { OrderDeps } from "../workshop-deps.ts";
import { checkStyle } from "./check-style.ts";
import { featuresSchema, guideSchema } from "./guide.ts";
import { likedTexts, orderStyle } from "./order-style.ts";
import type { styleRun } from "./style-run.ts";
import { readStyle, removeStyle } from "./styles.ts";

const params = z.object({ ...person, project_id: idText });
const said = z.object({ ru: z.string(), en: z.string() });
const noGuide = () => problem("not_found", { detail: "The project has no style guide yet." });

export interface StyleRouteDeps extends OrderDeps {
  readonly kinds: { readonly style: ReturnType<typeof styleRun> };
  readonly sources: Pick<Sources, "checkAddress">;
  /** Replaced in tests. */
  readonly language?: () => Promise<Language>;
}

/** The style guide of a project. */
export function styleRoutes(app: App, deps: StyleRouteDeps): void {
  const { sql, kinds, language = loadLanguage } = deps;
  const routes = personRoutes(app, deps);
  routes.post(
    "/projects/:project_id/style",
    {
      scope: "write",
      summary: "Learn how the project writes from three to five texts that its owner likes, for nothing",
      ...{ params, body: likedTexts.extend({ request_key: requestKey }), answer: orderedSchema, status: 202 },
    },
    ({ body: { request_key, ...liked }, ...asked }) =>
      orderStyle(deps, kinds.style, whoseOf(asked), asked.params.project_id, liked, request_key),
  );
  routes.get(
    "/projects/:project_id/style",
    { scope: "people", summary: "The style guide; each reading is recorded", params, answer: guideSchema },
    async (asked) => {
      const guide = await readStyle(sql, await readFor(deps, asked, "style"), asked.params.project_id);
      if (!guide) throw noGuide();
      return guide;
    },
  );
  routes.delete(
    "/projects/:project_id/style",
    { scope: "write", summary: "Remove the style guide: texts are written without one", params },
    async ({ by, dryRun, ...asked }) => {
      await removeStyle(deps, whoseOf(asked), asked.params.project_id, { by, dryRun });
    },
  );
  routes.post(
    "/projects/:project_id/style/check",
    {
      scope: "people",
      summary: "Where a text is unlike the project's style; nothing is stored, each reading is recorded",
      params,
      body: z.strictObject({
        body: z.string().min(1).max(longestSource),
        format: z.enum(["markdown", "html"]).default("markdown"),
      }),
      answer: z.object({
        deviations: z.array(
          z.object({ id: featuresSchema.keyof(), label: said, found: said, usual: said, change: said }),
        ),
      }),
    },
    async (asked) => {
      const guide = await readStyle(sql, await readFor(deps, asked, "style"), asked.params.project_id);
      if (!guide) throw noGuide();
      return { deviations: checkStyle(asked.body, guide.features, await language()) };
    },
  );
}
