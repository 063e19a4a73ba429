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

export interface SiteKinds {
  readonly audit: ReturnType<typeof auditRun>;
  readonly branding: ReturnType<typeof brandingRun>;
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

/**
 * Begins what is learnt of a site when it is connected: audit and branding, for nothing. Each is a run of its own, so one that
 * fails does not touch the other, nor the connection.
 */
export async function analyseSite(
  deps: SiteOrderDeps,
  kinds: SiteKinds,
  whose: Whose,
  projectId: number,
  requestKey?: string,
): Promise<Ordered[]> {
  const { url } = await siteOf(deps, whose, projectId);
  const works = [
    ...(deps.sources.isOn("pagespeed") ? [kinds.audit] : []),
    ...(deps.sources.isOn("firecrawl") ? [kinds.branding] : []),
  ];
  return Promise.all(
    works.map((kind) =>
      beginWork(deps, kind, {
        ...{ ...whose, projectId, input: { project_id: projectId, url }, charges: [] },
        requestKey: requestKey && `${requestKey} ${kind.kind}`,
      }),
    ),
  );
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
