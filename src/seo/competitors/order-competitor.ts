import { z } from "zod";
import { listPrices, tokensFor } from "../../billing/index.ts";
import { beginWork, type Ordered } from "../orders/begin-work.ts";
import { requireSource } from "../orders/require-source.ts";
import type { Whose } from "../people/whose.ts";
import { SeoProblem } from "../problems.ts";
import { siteUrl } from "../projects/project-fields.ts";
import { readProject } from "../projects/projects.ts";
import type { Sources } from "../sources/sources.ts";
import { refusedAddress } from "../sources/texts.ts";
import type { OrderDeps } from "../workshop-deps.ts";
import { competitorCharge, type competitorRun } from "./competitor-run.ts";

export interface SiteOrderDeps extends OrderDeps {
  readonly sources: Sources;
}

/** The address as a person types it; https unless another scheme is given. */
export const competitorUrl = z
  .string()
  .max(500)
  .pipe(siteUrl("Give the address of the competitor's site, such as https://example.com"));

/** Orders an analysis of a competitor's page for a project. */
export async function orderCompetitor(
  deps: SiteOrderDeps,
  kind: ReturnType<typeof competitorRun>,
  whose: Whose,
  projectId: number,
  url: string,
  requestKey?: string,
): Promise<Ordered> {
  const { name } = await readProject(deps.sql, whose, projectId);
  requireSource(deps.sources, "firecrawl");
  const refusal = await deps.sources.checkAddress(url);
  if (refusal)
    throw new SeoProblem("value_refused", refusedAddress("firecrawl", refusal).message, {
      pointers: ["/url"],
    });
  const operation = "competitor_analysis";
  const prices = await listPrices(deps.sql, whose.workspaceId);
  return beginWork(deps, kind, {
    ...{ ...whose, projectId, requestKey },
    input: { project_id: projectId, url },
    charges: [{ step: competitorCharge, operation, tokens: tokensFor(prices, operation, 1), note: name }],
  });
}
