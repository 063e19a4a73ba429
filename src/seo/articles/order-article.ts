import { listPrices, tokensFor } from "../../billing/index.ts";
import type { Transaction } from "../../kernel/db/index.ts";
import { readCategory } from "../categories/categories.ts";
import { pageKey } from "../links/index.ts";
import { beginWork, type Ordered } from "../orders/begin-work.ts";
import type { Whose } from "../people/whose.ts";
import { SeoProblem } from "../problems.ts";
import { readProject } from "../projects/projects.ts";
import { siteOf } from "../publish/publish-article.ts";
import { readSettings } from "../settings/settings.ts";
import { usualWords } from "../settings/usual-words.ts";
import type { Sources } from "../sources/index.ts";
import type { OrderDeps } from "../workshop-deps.ts";
import { chargesOf, imageOperation, textOperation } from "./article-deps.ts";
import type { ArticleRun } from "./article-run.ts";
import { chooseCluster, inTurn } from "./choose-cluster.ts";
import { type FoundPage, findUpdate } from "./find-update.ts";
import { readPlanFor } from "./read-plan.ts";
import { siteAddress } from "./site-address.ts";
import { type KnownSite, readKnownSite } from "./site-known.ts";
import { updatedByHand } from "./warnings.ts";

export interface OrderArticleDeps extends OrderDeps {
  readonly sources: Pick<Sources, "firecrawl">;
}

export interface WantedArticle {
  /** The site it is for; without one it can be looked at, and published later. */
  readonly connectionId?: number | undefined;
  /** A schedule publishes without a review, so it names a site. */
  readonly origin?: "person" | "schedule" | undefined;
  /** Whoever orders it works on it, too: no job is enqueued. */
  readonly inHand?: boolean | undefined;
  readonly requestKey?: string | undefined;
  /** Writes that belong to the order. */
  readonly also?: ((tx: Transaction, run: string) => Promise<void>) | undefined;
  /** The run of a plan of this category: the article is written from it, about its phrase. */
  readonly plan?: string | undefined;
  /** A main phrase of the category, instead of the next one in turn. */
  readonly phrase?: string | undefined;
  /** The address of a page of the site that the article takes the place of. */
  readonly update?: string | undefined;
  /** Also if a page of the site serves the phrase. */
  readonly anyway?: boolean | undefined;
}

/**
 * Orders an article of a category of the person's own: the next phrase in its turn is reserved for it. Throws `PageServes` if a page
 * of the site serves the phrase, as far as that is known without a paid call; the run looks again when it has read the site.
 */
export async function orderArticle(
  deps: OrderArticleDeps,
  kind: ArticleRun,
  whose: Whose,
  categoryId: number,
  { connectionId, origin = "person", inHand, requestKey, anyway, also, ...wanted }: WantedArticle = {},
): Promise<Ordered> {
  const { sql, clock } = deps;
  const { project_id: projectId, name } = await readCategory(sql, whose, categoryId);
  const place = { project_id: projectId, connection_id: connectionId ?? null };
  if (connectionId !== undefined || origin === "schedule") await siteOf(sql, whose, place);
  const [{ text, image }, prices, known, plan] = await Promise.all([
    readSettings(sql, whose, categoryId, "wordpress"),
    listPrices(sql, whose.workspaceId),
    knownAtOrder(deps, whose, projectId, connectionId ?? null),
    wanted.plan === undefined
      ? undefined
      : readPlanFor(sql, whose, { runId: wanted.plan, categoryId, now: clock.now() }),
  ]);
  const update = wanted.update === undefined ? undefined : await findUpdate(sql, whose, known, wanted.update);
  // Nobody would be there to take the HTML.
  if (origin === "schedule" && update?.page.delivery_id === null)
    throw new SeoProblem("not_publishable", updatedByHand(update.page.url).message);
  const steps = chargesOf(0);
  const tokens = {
    text: tokensFor(prices, textOperation, text.words_max),
    least: tokensFor(prices, textOperation, usualWords(text)),
    images: tokensFor(prices, imageOperation, image.count),
  };
  const site = connectionId ?? update?.connectionId ?? undefined;
  const input = {
    ...{ project_id: projectId, category_id: categoryId, connection_id: site ?? null },
    ...(wanted.plan !== undefined && { plan: wanted.plan }),
    ...(update && { update: update.page }),
    ...(anyway && { anyway }),
  };
  return beginWork(deps, kind, {
    ...{ ...whose, projectId, categoryId, connectionId: site, requestKey, origin, inHand, input },
    // A schedule is its own limit.
    counts: origin === "schedule" ? {} : { texts: 1, images: image.count },
    charges: [
      { step: steps.text, operation: textOperation, tokens: tokens.text, least: tokens.least, note: name },
      ...(image.count > 0
        ? [{ step: steps.images, operation: imageOperation, tokens: tokens.images, note: name }]
        : []),
    ],
    async also(tx, run) {
      const now = clock.now();
      const phrases = await inTurn(tx, whose, categoryId, now);
      const phrase = wanted.phrase ?? plan?.phrase ?? (update && phraseOf(update, phrases, known));
      const isCertain = anyway === true || update !== undefined;
      // If it throws, the run, its tokens and the phrase are rolled back together.
      await chooseCluster(tx, whose, known, { categoryId, run, origin, phrase, isCertain }, now);
      await also?.(tx, run);
    },
  });
}

/** The project's publications, and the pages of the site if its map was read within two weeks. */
export async function knownAtOrder(
  { sql, sources }: Pick<OrderArticleDeps, "sql" | "sources">,
  whose: Whose,
  projectId: number,
  connectionId: number | null,
): Promise<KnownSite> {
  const address = await siteAddress(sql, whose, await readProject(sql, whose, projectId), connectionId);
  const pages = address === null ? undefined : await sources.firecrawl.keptMap(address);
  return readKnownSite(sql, whose, { projectId, connectionId, address, pages: pages ?? [] });
}

/** The phrase that the page was written for, else the first in turn that it serves. */
function phraseOf({ phrase, page }: FoundPage, phrases: readonly string[], { guard }: KnownSite): string {
  const isFor = (given: string) => given.toLowerCase() === phrase?.toLowerCase();
  const isServed = (given: string) => pageKey(guard(given)?.url ?? "") === pageKey(page.url);
  const found = phrases.find(isFor) ?? phrases.find(isServed);
  if (found !== undefined) return found;
  throw new SeoProblem(
    "value_refused",
    {
      ru: `Страница ${page.url} не отвечает ни на одну фразу категории. Назовите главную фразу, для которой её обновить.`,
      en: `The page ${page.url} serves no phrase of the category: name the main phrase to update it for.`,
    },
    { pointers: ["/phrase"] },
  );
}
