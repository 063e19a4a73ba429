import { z } from "zod";
import { clusterSchema } from "../categories/clusters.ts";
import type { SitePage } from "../links/index.ts";
import { SeoProblem } from "../problems.ts";
import { proseOf } from "../render/index.ts";
import { RunFailure } from "../runs/run-failure.ts";
import type { RunScope } from "../runs/run-kind.ts";
import { analyseCompetitors } from "./analyse-competitors.ts";
import { type ArticleDeps, payerOf } from "./article-deps.ts";
import { chooseCluster, PageServes, servedFailure } from "./choose-cluster.ts";
import { readPlanned } from "./read-plan.ts";
import { gatherSources, readCompetitors, searchFor } from "./read-web.ts";
import { type ArticleOrder, type Brief, type Competitor, saidSchema } from "./shape.ts";
import { readKnownSite } from "./site-known.ts";
import { withoutAddresses } from "./text-parts.ts";
import { type Ground, researchSubject } from "./write-text.ts";

/** Everything that was read before an article is written. */
export interface Studied extends Ground {
  readonly pages: readonly SitePage[];
  readonly competitors: readonly Competitor[];
}

/** Reads the site first: no model is paid for a phrase that a page serves already. */
export async function study(
  deps: ArticleDeps,
  run: RunScope,
  order: ArticleOrder,
  read: Brief,
): Promise<Studied> {
  const planned = order.plan === undefined ? undefined : await readPlanned(deps.sql, run, order.plan);
  const pages = await siteMap(deps, run, read);
  const brief = await guarded(deps, run, order, read, pages);
  const [search, research, earlierPage] = await Promise.all([
    searchFor(deps, run, brief, planned?.search),
    researchSubject(deps, run, brief, order.project_id),
    readEarlierPage(deps, run, order),
  ]);
  const [competitors, sources] = await Promise.all([
    readCompetitors(deps, run, search, planned?.competitors),
    gatherSources(deps, run, brief, search, planned?.sources),
  ]);
  const analysis = analyseCompetitors(competitors, brief.cluster.main_phrase, brief.text);
  return {
    ...{ brief, search, research, analysis, sources, pages, competitors, earlierPage },
    plan: planned?.plan,
  };
}

const pagesKept = 1_000;

/** Pages of the site, for links; none if the site is unknown or cannot be read. */
function siteMap(deps: ArticleDeps, run: RunScope, { site }: Brief) {
  const page = z.object({ url: z.string(), title: z.string() });
  return run.step("site", { result: z.array(page), shared: true }, async (step) => {
    if (site === null) return [];
    const map = await deps.sources.firecrawl.map(site, payerOf(run));
    if (!map.ok) {
      step.note("source_missing", { source: map.source, reason: map.reason });
      return [];
    }
    step.note("read", { url: site, pages: map.value.length });
    return map.value.slice(0, pagesKept).map(({ url, title }) => ({ url, title }));
  });
}

/**
 * The brief with a phrase that no page of the site serves. It was looked for when the article was ordered, but the map of the site may
 * not have been known then. A person's run ends here without a charge; a schedule's takes the next phrase.
 */
async function guarded(
  deps: ArticleDeps,
  run: RunScope,
  order: ArticleOrder,
  brief: Brief,
  pages: readonly SitePage[],
): Promise<Brief> {
  if (order.anyway || order.update) return brief;
  const { project_id: projectId, connection_id: connectionId, category_id: categoryId } = order;
  const chosen = z.object({ cluster: clusterSchema, advice: z.array(saidSchema) });
  const { cluster, advice } = await run.step("guard", { result: chosen, shared: true }, async (step) => {
    const all = brief.site === null ? undefined : await deps.sources.firecrawl.keptMap(brief.site);
    const site = { projectId, connectionId, address: brief.site, pages: all ?? pages };
    const known = await readKnownSite(deps.sql, run, site);
    const page = known.guard(brief.cluster.main_phrase);
    if (!page) return { cluster: brief.cluster, advice: brief.advice };
    step.note("phrase_served", { phrase: brief.cluster.main_phrase, url: page.url, score: page.score });
    const wish = { categoryId, run: run.runId, origin: run.origin, isCertain: false } as const;
    try {
      const reserved = await deps.sql.begin((tx) => chooseCluster(tx, run, known, wish, deps.clock.now()));
      return { cluster: reserved.cluster, advice: [...reserved.advice] };
    } catch (error) {
      if (error instanceof PageServes) throw new RunFailure(error.code, servedFailure(error));
      if (error instanceof SeoProblem) throw new RunFailure(error.code, error.said);
      throw error;
    }
  });
  return { ...brief, cluster, advice };
}

const longestPage = 12_000;

/** What stands on the page that the article takes the place of; empty if it cannot be read. */
async function readEarlierPage(deps: ArticleDeps, run: RunScope, { update }: ArticleOrder): Promise<string> {
  if (!update) return "";
  return run.step("earlier_page", { result: z.string(), shared: true }, async (step) => {
    const [own] = await deps.sql<{ markdown: string }[]>`
      select r.result #>> '{article,markdown}' as markdown from seo.runs r
      where r.workspace_id = ${run.workspaceId} and r.user_id = ${run.userId} and r.kind = 'article' and r.status = 'done'
        and r.result ->> 'post_url' = ${update.url}
      order by r.created_at desc
      limit 1`;
    if (own)
      return withoutAddresses(own.markdown)
        .replace(/\{\{ ?IMAGE_\d{1,3} ?\}\}/gi, "")
        .slice(0, longestPage);
    const page = await deps.sources.firecrawl.page(update.url, payerOf(run), { fresh: true });
    if (!page.ok) {
      step.note("source_missing", { source: page.source, reason: page.reason });
      return "";
    }
    step.note("read", { url: update.url, words: page.value.wordCount });
    const texts = proseOf(page.value.markdown).map(({ text }) => text);
    return withoutAddresses(texts.join("\n")).slice(0, longestPage);
  });
}
