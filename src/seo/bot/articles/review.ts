/** An article as its person reads it before deciding. */
import { z } from "zod";
import { createLedger } from "../../../billing/index.ts";
import type { Language, StepContext } from "../../../dialogs/index.ts";
import type { Sql } from "../../../kernel/db/index.ts";
import { articleOrder, articleResult } from "../../articles/shape.ts";
import { beforePublishing } from "../../articles/warnings.ts";
import { readConnection } from "../../connections/connections.ts";
import type { Whose } from "../../people/whose.ts";
import { chargesAgain } from "../../publish/charges-again.ts";
import { articleOf } from "../../publish/decide-article.ts";
import { lastReturned } from "../../publish/held-before.ts";
import { articleDiff } from "../../refresh/article-diff.ts";
import type { RunDetail } from "../../runs/read-runs.ts";
import { type BotServices, type BotVisit, inStep, isAdmin, whoseOf } from "../services.ts";
import { texts } from "../texts/index.ts";
import { ifFound } from "../told.ts";
import type { ArticleData, Review } from "./article-data.ts";
import { changesText } from "./changes.ts";

type Turn = StepContext<ArticleData, BotServices>;

/** The run of the article; undefined if there is none of this person. */
export async function runOf(turn: BotVisit & { readonly data: ArticleData }): Promise<RunDetail | undefined> {
  const { runId } = turn.data;
  if (!z.uuid().safeParse(runId).success) return undefined;
  return ifFound(() => articleOf(inStep(turn).sql, whoseOf(turn), runId));
}

/** Undefined if its day is over, although nobody has ended it yet. */
export async function readReview(turn: Turn, run: RunDetail): Promise<Review | undefined> {
  const whose = whoseOf(turn);
  const { sql, clock, runs } = inStep(turn);
  const order = articleOrder.parse(run.input);
  const { article, pictures, words, score, warnings, preview, excerpt, regenerations } = articleResult.parse(
    run.result,
  );
  const connectionId = turn.data.connectionId ?? order.connection_id;
  const site =
    connectionId === null ? undefined : await ifFound(() => readConnection(sql, whose, connectionId));
  const [draft] = await turn.sql<{ id: number; expires_at: Date }[]>`
    select v.id, v.expires_at from seo.article_previews v
    where v.workspace_id = ${whose.workspaceId} and v.user_id = ${whose.userId} and v.run = ${run.run_id}
    order by v.id desc limit 1`;
  if (!draft || draft.expires_at <= turn.now) return undefined;
  return {
    ...{ previewId: draft.id, title: article.title, words, images: pictures.length },
    headings: article.markdown.match(/^##\s/gm)?.length ?? 0,
    ...{ phrase: article.phrase, score: score.total, warnings, url: preview?.url ?? null, excerpt },
    ...{ site: site?.identifier ?? null, tokens: run.tokens, isFree: isAdmin(turn) },
    balance: (await createLedger(sql, clock).balance(whose.workspaceId, whose.userId)) ?? 0,
    freeLeft: Math.max(0, runs.rules.freeRegenerations - regenerations),
    again: chargesAgain(run).reduce((sum, { tokens }) => sum + tokens, 0),
    byHand: order.update !== undefined && order.update.delivery_id === null,
    update: order.update ? await changesOf(sql, whose, run.run_id) : null,
  };
}

async function changesOf(sql: Sql, whose: Whose, runId: string): Promise<Review["update"]> {
  const { url, is_known, added, removed, words } = await articleDiff(sql, whose, runId);
  return { url, is_known, added, removed, words };
}

/** Warnings beyond this are cut: the screen is one message. */
const mostWarnings = 8;
const longestWarning = 300;

export function reviewText(header: string, { review }: ArticleData, language: Language): string {
  const say = texts[language].articles.preview;
  if (!review) return header;
  const warnings = review.warnings
    .slice(0, mostWarnings)
    .map((each) => `• ${beforePublishing(each)[language].slice(0, longestWarning)}`);
  return [
    header,
    "",
    review.title,
    "",
    say.words(review.words, review.images, review.headings),
    say.cluster(review.phrase),
    say.score(review.score),
    review.isFree ? say.free : say.tokens(review.tokens, review.balance),
    ...(review.site === null ? [] : [say.site(review.site)]),
    ...(review.update
      ? [texts[language].articles.changes.page(review.update.url), changesText(review.update, language)]
      : []),
    say.left(review.freeLeft),
    ...(warnings.length > 0 ? ["", say.warnings, ...warnings] : []),
    "",
    ...(review.url === null ? [say.begins, `${review.excerpt}…`] : [say.link(review.url), say.rough]),
    "",
    review.site === null ? say.noSite : say.decided,
  ].join("\n");
}

/** What the end of a run gave back. */
export const returnedBy = (run: Pick<RunDetail, "receipt" | "error">): number =>
  lastReturned(run).reduce((sum, { amount }) => sum + amount, 0);
