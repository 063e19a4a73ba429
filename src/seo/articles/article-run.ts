import { z } from "zod";
import { listPrices, tokensFor } from "../../billing/index.ts";
import { messageOf } from "../../kernel/errors/index.ts";
import { madeUpIn, simHash, validateContent } from "../checks/index.ts";
import { plainly } from "../language/index.ts";
import { disclaimerOf, nicheNames } from "../niches/index.ts";
import { giveBackIfHeld } from "../orders/held-step.ts";
import { deletePictures } from "../pictures/stored-files.ts";
import { isLikePublished } from "../publications/like-published.ts";
import { removeText } from "../publish/clean-up.ts";
import { keepPreview } from "../publish/keep-preview.ts";
import { pictureFiles, publishInto } from "../publish/publish-article.ts";
import { updatePage } from "../publish/update-page.ts";
import { internalCode, RunFailure } from "../runs/run-failure.ts";
import { defineRun, type RunKind, type RunScope, type WorkEnd } from "../runs/run-kind.ts";
import { checkStyle, type StyleDeviation } from "../styleguide/index.ts";
import { lastResult, notRegenerated, resultBefore } from "../texts/reviewed-text.ts";
import { type ArticleDeps, chargesOf, imageOperation, textOperation } from "./article-deps.ts";
import { checkText } from "./check-text.ts";
import { drawArticle } from "./draw-article.ts";
import { previewArticle } from "./preview-article.ts";
import { companyLines, readBrief } from "./read-brief.ts";
import { assembled, type Scored, scoreOf } from "./render-page.ts";
import {
  type Article,
  type ArticleOrder,
  type ArticleResult,
  articleOrder,
  articleResult,
  type Brief,
  briefSchema,
  type CheckedText,
  type StoredPicture,
  type Warning,
  type Written,
} from "./shape.ts";
import { siteFootprint } from "./site-footprint.ts";
import { type Studied, study } from "./study.ts";
import {
  copiedText,
  cutSentences,
  failures,
  fewerPictures,
  lowScore,
  noPictures,
  unlikeStyle,
  updatedByHand,
  warning,
} from "./warnings.ts";
import { outlineText, rewriteText, writeText } from "./write-text.ts";

export type ArticleRun = RunKind<ArticleOrder, ArticleResult>;

/**
 * Writes an article: reads what ranks, writes from an outline, checks every claim, draws, scores, rewrites once if it is poor. A
 * person then decides on it; a schedule publishes it at once.
 */
export function articleRun(deps: ArticleDeps): ArticleRun {
  return defineRun<ArticleOrder, ArticleResult>({
    kind: "article",
    title: { ru: "статья", en: "article" },
    input: articleOrder,
    async work(run, order) {
      const before = await resultBefore(deps, run, articleResult);
      try {
        return await write(deps, run, order, before);
      } catch (error) {
        if (!before || !(error instanceof RunFailure)) throw error;
        return keepBefore(deps, run, before, error.code);
      }
    },
    async keepBefore(run) {
      return keepBefore(deps, run, await lastResult(deps, run, articleResult), internalCode);
    },
  });
}

/** A regeneration that failed costs nothing, and the text before it stays. */
async function keepBefore(
  deps: ArticleDeps,
  run: RunScope,
  before: ArticleResult,
  reason: string,
): Promise<WorkEnd<ArticleResult>> {
  const { workspaceId, runId } = run;
  for (const step of Object.values(chargesOf(run.round)))
    await giveBackIfHeld(deps, { workspaceId, run: runId, step }, reason);
  const code = "not_regenerated";
  const warnings = before.warnings.filter((each) => each.code !== code);
  return {
    status: "review",
    // First: a screen shows only so many.
    result: { ...before, warnings: [{ code, message: notRegenerated }, ...warnings] },
  };
}

async function write(
  deps: ArticleDeps,
  run: RunScope,
  order: ArticleOrder,
  before: ArticleResult | undefined,
): Promise<WorkEnd<ArticleResult>> {
  const read = await run.step(
    "brief",
    { result: briefSchema, stage: "search", shared: true },
    (): Promise<Brief> => readBrief(deps.sql, run, order, deps.clock.now()),
  );
  const ground = await study(deps, run, order, read);
  const { brief } = ground;
  const outline = await outlineText(deps, run, ground);
  const written = await writeText(deps, run, ground, outline);
  const checked = await checkText(deps, run, "claims", { written, ...ground });
  const pictures = await drawArticle(deps, run, order, { brief, written, markdown: checked.markdown });
  try {
    const best = await improved(deps, run, { ground, outline, written, checked, pictures });
    return await ended(deps, run, order, { ...best, ground, pictures, before });
  } catch (error) {
    if (error instanceof RunFailure)
      await deletePictures(
        deps.storage,
        run.workspaceId,
        pictures.map(({ storage_path }) => storage_path),
      );
    throw error;
  }
}

interface Draft extends Scored {
  readonly article: Article;
  readonly written: Written;
  readonly checked: CheckedText;
  /** Where it is unlike the project's style guide. */
  readonly style: readonly StyleDeviation[];
}

interface Improved extends Draft {
  readonly isRewriteWorse: boolean;
}

/** The text, or its rewriting if that scores better. A text below 80 is rewritten once (E44). */
async function improved(
  deps: ArticleDeps,
  run: RunScope,
  given: {
    ground: Studied;
    outline: Parameters<typeof writeText>[3];
    written: Written;
    checked: CheckedText;
    pictures: readonly StoredPicture[];
  },
): Promise<Improved> {
  const { ground, outline, pictures } = given;
  const niche = nicheNames.find((name) => name === ground.brief.niche);
  const disclaimer = niche && disclaimerOf(niche, "ru");
  const language = await deps.language();
  const draftOf = (written: Written, checked: CheckedText): Draft => {
    const article = assembled({ ...ground, written, markdown: checked.markdown, disclaimer, pictures });
    const guide = ground.brief.style?.features;
    const style = guide ? checkStyle({ body: article.markdown, format: "markdown" }, guide, language) : [];
    return { article, written, checked, style, ...scoreOf(article, pictures, ground, language) };
  };
  const scored = z.object({ total: z.int(), breakdown: z.record(z.string(), z.number()) });
  const noted = (name: string, { score, style }: Draft) =>
    run.step(name, { result: scored }, async (step) => {
      step.note("scored", { gate: score.gate, issues: score.issues.slice(0, 5).map(({ id }) => id) });
      if (style.length > 0) step.note("style", { unlike: style.map(({ id }) => id) });
      return { total: score.total, breakdown: { ...score.breakdown } };
    });

  const first = draftOf(given.written, given.checked);
  await noted("score", first);
  if (first.score.passed) return { ...first, isRewriteWorse: false };
  const rewritten = await rewriteText(deps, run, ground, { outline, ...first });
  if (!rewritten) return { ...first, isRewriteWorse: false };
  const again = await checkText(deps, run, "claims_again", { written: rewritten, ...ground });
  const second = draftOf(rewritten, again);
  await noted("score_again", second);
  return second.score.total > first.score.total
    ? { ...second, isRewriteWorse: false }
    : { ...first, isRewriteWorse: true };
}

interface Finished extends Improved {
  readonly ground: Studied;
  readonly pictures: readonly StoredPicture[];
  /** The text that this one takes the place of. */
  readonly before: ArticleResult | undefined;
}

async function ended(
  deps: ArticleDeps,
  run: RunScope,
  order: ArticleOrder,
  finished: Finished,
): Promise<WorkEnd<ArticleResult>> {
  const { article, score, rendered, pictures, ground, checked, written, before } = finished;
  if (score.gate === "block") throw new RunFailure("low_quality", failures.low_quality);
  const { ok, errors } = validateContent({
    ...{
      destination: "wordpress",
      kind: "article",
      text: rendered.html,
      format: "html",
      read: finished.text,
    },
    ...{ title: article.title, images: pictures.length, faq: rendered.questions.length },
  });
  if (!ok)
    throw new RunFailure("not_valid", {
      ru: [failures.not_valid.ru, ...errors.map(({ message }) => message.ru)].join(" "),
      en: [failures.not_valid.en, ...errors.map(({ message }) => message.en)].join(" "),
    });
  const text = plainly(finished.text.blocks.map((block) => block.text).join("\n"));
  const hash = simHash(text);
  const returned = await settlePrice(deps, run, ground.brief, { words: score.words, pictures });
  // An update may well be like the page that it takes the place of.
  const isCopy = await run.step(
    "likeness",
    { result: z.boolean() },
    async () => !order.update && (await isLikePublished(deps.sql, run, hash)),
  );
  const alike = await siteFootprint(deps, run, order, { article, words: score.words });
  const preview = run.origin === "schedule" ? null : await previewArticle(deps, run, article, pictures);
  const warnings = [
    ...(ground.search ? [] : [warning("search_missing")]),
    ...(ground.search && ground.analysis.pages === "" ? [warning("competitors_missing")] : []),
    ...pictureWarnings(ground.brief.image.count, pictures.length, returned),
    ...(checked.claims.some(({ outcome }) => outcome === "failed")
      ? [cutSentences(checked.claims.filter(({ outcome }) => outcome === "failed").length)]
      : []),
    ...(checked.copied.length > 0 ? [copiedText(checked.copied)] : []),
    ...(score.passed ? [] : [lowScore(score.total)]),
    ...(finished.isRewriteWorse ? [warning("rewrite_did_not_help")] : []),
    ...(finished.style.length > 0 ? [unlikeStyle(finished.style)] : []),
    ...fabricated(text, ground, checked),
    ...(isCopy ? [warning("near_duplicate")] : []),
    ...alike,
    ...(order.update && !order.update.delivery_id ? [updatedByHand(order.update.url)] : []),
    ...(run.origin === "person" && preview === null ? [warning("preview_missing")] : []),
    ...ground.brief.advice.map((message): Warning => ({ code: "phrases", message })),
  ];
  const result: ArticleResult = {
    article,
    pictures: [...pictures],
    words: score.words,
    score: { total: score.total, breakdown: { ...score.breakdown } },
    claims: checked.claims,
    sources: ground.sources.map(({ id, url, title }) => ({ id, url, title })),
    warnings,
    preview,
    excerpt: [...text].slice(0, 500).join(""),
    content_hash: String(hash),
    model: written.model,
    prompt_version: written.prompt_version,
    ms: Math.max(0, deps.clock.now().getTime() - run.createdAt.getTime()),
    regenerations: before ? before.regenerations + 1 : 0,
  };
  if (before) await forget(deps, run, before, result);
  const where = { whose: run, runId: run.runId, order, result };
  if (run.origin === "person")
    return { status: "review", result, also: (tx) => keepPreview({ ...deps, sql: tx }, run, order, result) };
  const files = await pictureFiles(deps, run, result);
  return {
    status: "publishing",
    result,
    also: (tx) =>
      order.update ? updatePage(tx, run, files) : publishInto({ ...deps, sql: tx }, { ...where, files }),
  };
}

/** The text before goes when there is another; what cannot be removed now goes after a week. */
async function forget(
  deps: ArticleDeps,
  run: RunScope,
  before: ArticleResult,
  now: ArticleResult,
): Promise<void> {
  const kept = new Set(now.pictures.map(({ storage_path }) => storage_path));
  const pictures = before.pictures.filter(({ storage_path }) => !kept.has(storage_path));
  await run.step("tidy", { result: z.null() }, async (step) => {
    try {
      await removeText(deps, run.workspaceId, { preview: before.preview, pictures });
    } catch (error) {
      step.note("left_behind", { reason: messageOf(error) });
    }
    return null;
  });
}

/** Lowers what is held to the words and pictures there are. Returns what went back for pictures. */
async function settlePrice(
  deps: ArticleDeps,
  run: RunScope,
  brief: Brief,
  { words, pictures }: { words: number; pictures: readonly StoredPicture[] },
): Promise<number> {
  const steps = chargesOf(run.round);
  const { workspaceId, runId } = run;
  return run.step("price", { result: z.int() }, async () => {
    const prices = await listPrices(deps.sql, workspaceId);
    const lower = async (step: string, tokens: number): Promise<number> => {
      const [held] = await deps.sql<{ amount: number }[]>`
        select amount from billing.holds
        where workspace_id = ${workspaceId} and run = ${runId} and step = ${step} and state = 'held'`;
      if (!held || held.amount <= tokens) return 0;
      if (tokens === 0) await deps.ledger.giveBackStep({ workspaceId, run: runId, step }, "nothing was made");
      else await deps.ledger.lower({ workspaceId, run: runId, step }, tokens);
      return held.amount - tokens;
    };
    await lower(steps.text, tokensFor(prices, textOperation, words));
    if (brief.image.count === 0) return 0;
    return lower(steps.images, tokensFor(prices, imageOperation, pictures.length));
  });
}

function pictureWarnings(wanted: number, drawn: number, returned: number): Warning[] {
  if (drawn >= wanted) return [];
  return [drawn === 0 ? noPictures(returned) : fewerPictures(drawn, wanted)];
}

/** What the text may have made up, for the person to look at (E48). */
function fabricated(text: string, { brief, sources }: Studied, { claims }: CheckedText): Warning[] {
  const own = {
    prices: brief.prices,
    company: companyLines(brief),
    sources: sources.map(({ title }) => title),
    supported: claims.filter(({ outcome }) => outcome === "supported").map(({ sentence }) => sentence),
  };
  return madeUpIn(text, own).map(({ code, message }) => ({ code, message: { ...message } }));
}
