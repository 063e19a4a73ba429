import { listPrices, tokensFor } from "../../billing/index.ts";
import type { SiteOrderDeps } from "../competitors/order-competitor.ts";
import { beginWork, type Ordered } from "../orders/begin-work.ts";
import { requireSource } from "../orders/require-source.ts";
import type { Whose } from "../people/whose.ts";
import { SeoProblem } from "../problems.ts";
import { readProject } from "../projects/projects.ts";
import { refusedAddress } from "../sources/texts.ts";
import { auditCharge, type auditRun } from "./audit-run.ts";
import type { brandingRun } from "./branding-run.ts";
import type { siteMapRun } from "./site-map-run.ts";

export interface SiteKinds {
  readonly audit: ReturnType<typeof auditRun>;
  readonly branding: ReturnType<typeof brandingRun>;
  readonly siteMap: ReturnType<typeof siteMapRun>;
}

/** Orders an audit of the project's site. */
export async function orderAudit(
  deps: SiteOrderDeps,
  { audit }: Pick<SiteKinds, "audit">,
  whose: Whose,
  projectId: number,
  requestKey?: string,
): Promise<Ordered> {
  const site = await siteOf(deps, whose, projectId);
  requireSource(deps.sources, "pagespeed");
  const operation = "audit";
  const tokens = tokensFor(await listPrices(deps.sql, whose.workspaceId), operation, 1);
  return beginWork(deps, audit, {
    ...{ ...whose, projectId, requestKey },
    input: { project_id: projectId, url: site.url },
    charges: [{ step: auditCharge, operation, tokens, note: site.name }],
  });
}

/** Orders the colours, fonts and logo of the project's site, for nothing. */
export async function orderBranding(
  deps: SiteOrderDeps,
  { branding }: Pick<SiteKinds, "branding">,
  whose: Whose,
  projectId: number,
  requestKey?: string,
): Promise<Ordered> {
  const { url } = await siteOf(deps, whose, projectId);
  return beginWork(deps, branding, {
    ...{ ...whose, projectId, requestKey, input: { project_id: projectId, url }, charges: [] },
  });
}

async function siteOf({ sql, sources }: SiteOrderDeps, whose: Whose, projectId: number) {
  const { website_url: url, name } = await readProject(sql, whose, projectId);
  if (url === null)
    throw new SeoProblem("value_refused", {
      ru: "У проекта не указан сайт. Добавьте его адрес в карточке проекта.",
      en: "The project has no site. Add its address: website_url.",
    });
  const refusal = await sources.checkAddress(url);
  if (refusal) throw new SeoProblem("value_refused", refusedAddress("pagespeed", refusal).message);
  return { url, name };
}
