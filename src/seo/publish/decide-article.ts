import { personWaitsMs } from "../../delivery/index.ts";
import { problem } from "../../http/index.ts";
import { type Sql, within } from "../../kernel/db/index.ts";
import { type ArticleOrder, type ArticleResult, articleOrder, articleResult } from "../articles/shape.ts";
import { updatedByHand } from "../articles/warnings.ts";
import type { Whose } from "../people/whose.ts";
import { publishPreview, reopenPreview } from "../previews/previews.ts";
import { SeoProblem } from "../problems.ts";
import type { Runs } from "../runs/create-runs.ts";
import { type RunDetail, readRun } from "../runs/read-runs.ts";
import type { Said } from "../said.ts";
import { chargesAgain } from "./charges-again.ts";
import type { CleanUp } from "./clean-up.ts";
import { heldBefore } from "./held-before.ts";
import { pageOf } from "./keep-preview.ts";
import { pictureFiles, publishTo, siteOf } from "./publish-article.ts";
import type { PublishDeps } from "./publish-run.ts";
import { tooFewFor, tooFewForAnother } from "./too-few.ts";
import { updatePage } from "./update-page.ts";

/** What a person decides about an article that is being reviewed. Of several decisions at once, one wins. */

export interface DecideDeps extends PublishDeps {
  readonly sql: Sql;
  readonly runs: Runs;
  readonly cleanUp: CleanUp;
}

/** Publishes the article to a site of its project. Returns the connection. */
export async function publishArticle(
  deps: DecideDeps,
  whose: Whose,
  runId: string,
  connectionId?: number,
): Promise<number> {
  const { order: ordered, result } = await reviewed(deps.sql, whose, runId);
  if (ordered.update) return publishUpdate(deps, whose, runId, { order: ordered, result, connectionId });
  const order = { ...ordered, connection_id: connectionId ?? ordered.connection_id };
  // Refused before anything is copied.
  const { id } = await siteOf(deps.sql, whose, order);
  const previewId = await draftOf(deps.sql, whose, runId);
  const files = await pictureFiles(deps, { ...whose, runId }, result);
  const waitUntil = new Date(deps.clock.now().getTime() + personWaitsMs);
  const isDecided = await deps.runs.publish({ ...whose, runId }, id, async (tx) => {
    await publishPreview({ ...deps, sql: tx }, whose, previewId);
    await publishTo({ ...deps, sql: tx }, { whose, runId, order, result, files, waitUntil });
  });
  if (!isDecided) throw await decided(deps.sql, whose, runId);
  return id;
}

/** Puts the article in the place of the page that it updates, at the same address. */
async function publishUpdate(
  deps: DecideDeps,
  whose: Whose,
  runId: string,
  { order, result, connectionId }: Omit<Reviewed, "run"> & { readonly connectionId: number | undefined },
): Promise<number> {
  const { connection_id: site, update } = order;
  if (!update?.delivery_id || site === null)
    throw new SeoProblem("not_publishable", updatedByHand(update?.url ?? "").message);
  if (connectionId !== undefined && connectionId !== site)
    throw new SeoProblem("not_publishable", updatedElsewhere(update.url));
  const previewId = await draftOf(deps.sql, whose, runId);
  const files = await pictureFiles(deps, { ...whose, runId }, result);
  const isDecided = await deps.runs.publish({ ...whose, runId }, site, async (tx) => {
    await publishPreview({ ...deps, sql: tx }, whose, previewId);
    await updatePage(tx, { ...whose, runId }, files);
  });
  if (!isDecided) throw await decided(deps.sql, whose, runId);
  return site;
}

/** Ends the review: the person has the HTML, whose pictures can be opened for a week. */
export async function takeArticle(deps: DecideDeps, whose: Whose, runId: string): Promise<string> {
  const { result } = await reviewed(deps.sql, whose, runId);
  const { rendered } = await pageOf(deps.storage, whose.workspaceId, result);
  if (!(await deps.runs.take({ ...whose, runId }, "html_copied")))
    throw await decided(deps.sql, whose, runId);
  return rendered.page;
}

/** Has the article written anew: twice for nothing, then for the price of the first time. Returns what is held for it. */
export async function regenerateArticle(deps: DecideDeps, whose: Whose, runId: string): Promise<number> {
  const { run, result } = await reviewed(deps.sql, whose, runId);
  const charges = result.regenerations < deps.runs.rules.freeRegenerations ? [] : chargesAgain(run);
  // Its preview and its pictures stay until there is another text: without one, this text stays.
  const begun = await deps.runs.regenerate({ ...whose, runId }, charges);
  if (begun.ok) return charges.reduce((sum, { tokens }) => sum + tokens, 0);
  if (begun.reason === "not_reviewed") throw await decided(deps.sql, whose, runId);
  throw tooFewForAnother(begun);
}

/**
 * Has an article reviewed again that could not be published: what was returned for it is held anew. Its preview page is gone. Returns
 * what is held.
 */
export async function reopenArticle(deps: DecideDeps, whose: Whose, runId: string): Promise<number> {
  const run = await articleOf(deps.sql, whose, runId);
  const charges = heldBefore(run);
  const begun = await deps.runs.reopen({ ...whose, runId }, charges, async (tx) => {
    const previewId = await draftOf(within(tx), whose, runId);
    if (!(await reopenPreview({ ...deps, sql: within(tx) }, whose, previewId)))
      throw new SeoProblem("preview_ended", endings.expired);
  });
  if (begun.ok) return charges.reduce((sum, { tokens }) => sum + tokens, 0);
  if (begun.reason === "not_reviewed") throw await decided(deps.sql, whose, runId);
  throw tooFewFor(begun);
}

/** Cancels the article, reviewed or still being written; its tokens go back. */
export async function cancelArticle(
  deps: DecideDeps,
  whose: Whose,
  runId: string,
): Promise<"cancelled" | "stopping"> {
  const run = await articleOf(deps.sql, whose, runId);
  const status = await deps.runs.cancel({ ...whose, runId });
  if (status !== "cancelled" && status !== "running") throw await decided(deps.sql, whose, runId);
  // The text of the round before goes even while the next one stops.
  const written = articleResult.safeParse(run.result);
  if (written.success) await deps.cleanUp(whose.workspaceId, written.data);
  return status === "running" ? "stopping" : "cancelled";
}

/** A run of the person's own that writes an article. */
export async function articleOf(sql: Sql, whose: Whose, runId: string): Promise<RunDetail> {
  const run = await readRun(sql, whose.workspaceId, runId, whose.userId);
  if (run.kind !== "article") throw problem("not_found", { detail: `There is no article ${runId}.` });
  return run;
}

interface Reviewed {
  readonly run: RunDetail;
  readonly order: ArticleOrder;
  readonly result: ArticleResult;
}

async function reviewed(sql: Sql, whose: Whose, runId: string): Promise<Reviewed> {
  const run = await articleOf(sql, whose, runId);
  if (run.status !== "review") throw endedProblem(run);
  return { run, order: articleOrder.parse(run.input), result: articleResult.parse(run.result) };
}

async function draftOf(sql: Sql, whose: Whose, runId: string): Promise<number> {
  const [preview] = await sql<{ id: number }[]>`
    select v.id from seo.article_previews v
    where v.workspace_id = ${whose.workspaceId} and v.user_id = ${whose.userId} and v.run = ${runId}
    order by v.id desc
    limit 1`;
  if (!preview) throw new SeoProblem("preview_ended", endings.expired);
  return preview.id;
}

const updatedElsewhere = (url: string): Said => ({
  ru: `Статья обновляет страницу ${url} и не может выйти на другом сайте.`,
  en: `The article updates the page ${url} and cannot go to another site.`,
});

const decided = async (sql: Sql, whose: Whose, runId: string) =>
  endedProblem(await articleOf(sql, whose, runId));

function endedProblem({ status, error }: RunDetail): SeoProblem {
  const known = Object.entries(endings).find(([name]) => name === status)?.[1];
  return new SeoProblem("preview_ended", known ?? error?.message ?? endings.expired);
}

const endings = {
  queued: { ru: "Статья ещё пишется.", en: "The article is still being written." },
  running: { ru: "Статья ещё пишется.", en: "The article is still being written." },
  publishing: { ru: "Уже публикуется", en: "It is being published already" },
  done: { ru: "Статья уже опубликована.", en: "The article was published already." },
  cancelled: {
    ru: "Превью отменено. Сгенерируйте статью заново.",
    en: "The preview was cancelled. Generate the article again.",
  },
  expired: {
    ru: "Превью устарело. Сгенерируйте статью заново.",
    en: "The preview is out of date. Generate the article again.",
  },
} as const;
