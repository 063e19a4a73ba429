import { z } from "zod";
import type { App } from "../../http/index.ts";
import { person, personRoutes, whoseOf } from "../people/person-routes.ts";
import { idText } from "../people/whose.ts";
import { platformTypes } from "../settings/shape.ts";
import { type EstimateDeps, estimateSchema, estimateWork } from "./estimate.ts";

export function estimateRoutes(app: App, deps: EstimateDeps): void {
  personRoutes(app, deps).get(
    "/categories/:category_id/estimate",
    {
      scope: "read",
      summary: "What an article or a post would cost, how long it would take and what is missing",
      params: z.object({ ...person, category_id: idText }),
      query: {
        platform: z.enum(platformTypes).optional().describe("wordpress, an article, unless given"),
      },
      answer: estimateSchema,
    },
    (asked) => estimateWork(deps, whoseOf(asked), asked.params.category_id, asked.query.platform),
  );
}
