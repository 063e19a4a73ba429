import { z } from "zod";
import { type App, problem } from "../../http/index.ts";
import type { SiteOrderDeps } from "../competitors/order-competitor.ts";
import { orderedSchema } from "../keywords/order-keywords.ts";
import { requestKey } from "../orders/request-key.ts";
import { person, personRoutes, readFor, whoseOf } from "../people/person-routes.ts";
import { idText } from "../people/whose.ts";
import { auditHistory, auditScoresSchema } from "./audit-history.ts";
import { readAudit, readBranding } from "./audits.ts";
import { orderAudit, orderBranding, type SiteKinds } from "./order-site-works.ts";
import { auditSchema, brandingSchema } from "./shape.ts";

const params = z.object({ ...person, project_id: idText });
const body = z.strictObject({ request_key: requestKey });

/** The audit and the branding of a project's site. */
export function auditRoutes(app: App, deps: SiteOrderDeps & { readonly kinds: SiteKinds }): void {
  const { sql, kinds } = deps;
  const routes = personRoutes(app, deps);
  routes.post(
    "/projects/:project_id/audit",
    {
      scope: "write",
      summary: "Measure the project's site, for tokens: four scores, vitals and what to do",
      ...{ params, body, answer: orderedSchema, status: 202 },
    },
    (asked) => orderAudit(deps, kinds, whoseOf(asked), asked.params.project_id, asked.body.request_key),
  );
  routes.get(
    "/projects/:project_id/audit",
    { scope: "people", summary: "The last audit; each reading is recorded", params, answer: auditSchema },
    async (asked) => {
      const audit = await readAudit(sql, await readFor(deps, asked, "audit"), asked.params.project_id);
      if (!audit) throw problem("not_found", { detail: "The site was not measured yet." });
      return audit;
    },
  );
  routes.get(
    "/projects/:project_id/audit/history",
    {
      scope: "people",
      summary: "The scores of the last audits, the oldest first; each reading is recorded",
      ...{ params, answer: z.object({ items: z.array(auditScoresSchema) }) },
    },
    async (asked) => ({
      items: await auditHistory(sql, await readFor(deps, asked, "audit"), asked.params.project_id),
    }),
  );
  routes.post(
    "/projects/:project_id/branding",
    {
      scope: "write",
      summary: "Read colours, fonts and the logo of the project's site, for nothing",
      ...{ params, body, answer: orderedSchema, status: 202 },
    },
    (asked) => orderBranding(deps, kinds, whoseOf(asked), asked.params.project_id, asked.body.request_key),
  );
  routes.get(
    "/projects/:project_id/branding",
    {
      scope: "people",
      summary: "Colours, fonts and the logo; each reading is recorded",
      ...{ params, answer: brandingSchema },
    },
    async (asked) => {
      const branding = await readBranding(
        sql,
        await readFor(deps, asked, "branding"),
        asked.params.project_id,
      );
      if (!branding) throw problem("not_found", { detail: "The site's colours were not read yet." });
      return branding;
    },
  );
}
