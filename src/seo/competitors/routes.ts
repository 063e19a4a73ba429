import { z } from "zod";
import type { App } from "../../http/index.ts";
import { orderedSchema } from "../keywords/order-keywords.ts";
import { requestKey } from "../orders/request-key.ts";
import { person, personRoutes, whoseOf } from "../people/person-routes.ts";
import { idText } from "../people/whose.ts";
import type { competitorRun } from "./competitor-run.ts";
import { competitorUrl, orderCompetitor, type SiteOrderDeps } from "./order-competitor.ts";

export function competitorRoutes(
  app: App,
  deps: SiteOrderDeps & { readonly kinds: { readonly competitor: ReturnType<typeof competitorRun> } },
): void {
  personRoutes(app, deps).post(
    "/projects/:project_id/competitors/analyse",
    {
      scope: "write",
      summary: "Compare a competitor's page with the project, for tokens: topics, gaps, what to do",
      params: z.object({ ...person, project_id: idText }),
      body: z.strictObject({ url: competitorUrl, request_key: requestKey }),
      ...{ answer: orderedSchema, status: 202 },
    },
    (asked) =>
      orderCompetitor(
        deps,
        deps.kinds.competitor,
        whoseOf(asked),
        asked.params.project_id,
        asked.body.url,
        asked.body.request_key,
      ),
  );
}
