import { z } from "zod";
import type { App } from "../../http/index.ts";
import { person, personRoutes, whoseOf } from "../people/person-routes.ts";
import { idText } from "../people/whose.ts";
import type { OrderDeps } from "../workshop-deps.ts";
import type { keywordsRun } from "./keywords-run.ts";
import { orderedSchema, orderKeywords, wantedKeywords } from "./order-keywords.ts";

export function keywordRoutes(
  app: App,
  deps: OrderDeps & { readonly kinds: { readonly keywords: ReturnType<typeof keywordsRun> } },
): void {
  personRoutes(app, deps).post(
    "/categories/:category_id/keywords/find",
    {
      scope: "write",
      summary: "Find phrases that people search for and add them to the category, for tokens",
      params: z.object({ ...person, category_id: idText }),
      body: wantedKeywords.extend({
        request_key: z
          .string()
          .min(1)
          .max(200)
          .optional()
          .describe("A repeat with the same key begins nothing"),
      }),
      answer: orderedSchema,
      status: 202,
    },
    ({ params, body: { request_key, ...wanted }, ...asked }) =>
      orderKeywords(
        deps,
        deps.kinds.keywords,
        whoseOf({ ...asked, params }),
        params.category_id,
        wanted,
        request_key,
      ),
  );
}
