/** The review of a written article: looked at, written anew, cancelled, or taken away as HTML. */
import { articleResult } from "../../articles/shape.ts";
import {
  articleOf,
  cancelArticle,
  type DecideDeps,
  regenerateArticle,
  takeArticle,
} from "../../publish/decide-article.ts";
import { pageOf } from "../../publish/keep-preview.ts";
import type { RunDetail } from "../../runs/read-runs.ts";
import { topUpButton } from "../pipeline/top-up.ts";
import { receiptText } from "../runs/receipt.ts";
import { type BotServices, inStep, whoseOf } from "../services.ts";
import { both, texts } from "../texts/index.ts";
import { attempted, ifFound, saidOf } from "../told.ts";
import { type ArticleData, anotherArticle } from "./article-data.ts";
import type { ArticleState, ArticleTurn, ArticleWay } from "./article-states.ts";
import { sendChanges } from "./changes.ts";
import { writingState } from "./order-states.ts";
import { readReview, returnedBy, reviewText, runOf } from "./review.ts";

export const decideDeps = ({ articles, runs, cleanUp }: BotServices): DecideDeps => ({
  ...{ ...articles, runs, cleanUp },
});

export function reviewStates<Extra extends string>(way: ArticleWay<Extra>) {
  type Named = ArticleState<Extra>;
  const hasSite = ({ review }: ArticleData) => review?.site !== null && review?.byHand === false;
  const isFree = ({ review }: ArticleData) => (review?.freeLeft ?? 0) > 0 || review?.again === 0;

  const preview: Named = {
    ask: (data, language) => reviewText(way.headers.preview[language], data, language),
    prepare: {
      to: ["expired", "publishing", "regenerating", "publishing_failed"],
      take: whereItIs,
    },
    links: [
      {
        label: both((t) => t.articles.preview.open),
        url: ({ review }) => review?.url ?? "",
        when: ({ review }) => review?.url !== null,
      },
    ],
    buttons: {
      publish: {
        label: both((t) => t.articles.preview.publish),
        to: "publishing_begins",
        style: "success",
        when: hasSite,
      },
      changes: {
        label: both((t) => t.articles.changes.label),
        to: "@stay",
        when: ({ review }) => review?.update != null,
        press: sendChanges,
      },
      ...way.atPreview,
      html: {
        label: both((t) => t.articles.preview.html),
        to: "taking",
        when: (data) => !hasSite(data),
      },
      regenerate: {
        label: both((t) => t.articles.preview.regenerate),
        to: ["regenerating", "regeneration_short", "@stay"],
        when: isFree,
        press: regenerate,
      },
      regenerate_for: {
        label: ({ review }, language) => texts[language].articles.preview.regenerateFor(review?.again ?? 0),
        to: ["regenerating", "regeneration_short", "@stay"],
        when: (data) => !isFree(data),
        press: regenerate,
      },
      phrases: {
        label: both((t) => t.articles.preview.findPhrases),
        to: "screen:category:{id}:keywords",
        when: ({ review }) => review?.warnings.some(({ code }) => code === "phrases") ?? false,
        press: ({ data }) => ({ to: `screen:category:${data.categoryId}:keywords`, keep: true }),
      },
      give_up: { label: both((t) => t.articles.preview.cancel), to: "cancelling", style: "danger" },
    },
    ...{ noBack: true, noCancel: true },
  };

  const expired: Named = {
    ask: ({ trouble }, language) => {
      const say = texts[language].articles.expired;
      return [say.text, ...((trouble?.returned ?? 0) > 0 ? [say.returned(trouble?.returned ?? 0)] : [])].join(
        "\n\n",
      );
    },
    buttons: {
      again: {
        label: both((t) => t.articles.expired.again),
        to: "confirm_cost",
        style: "primary",
        press: () => ({ data: anotherArticle }),
      },
      category: {
        label: both((t) => t.common.toCategory),
        to: "screen:category:{id}:card",
        press: ({ data }) => ({ to: `screen:category:${data.categoryId}:card` }),
      },
    },
    ...{ noBack: true, noCancel: true },
  };

  const regenerating: Named = writingState(
    way,
    both((t) => t.articles.regenerating),
  );

  const regeneration_short: Named = {
    ask: ({ trouble }, language) => trouble?.said[language] ?? "",
    buttons: {
      top_up: topUpButton(() => true),
      publish: {
        label: both((t) => t.articles.short.publish),
        to: "publishing_begins",
        style: "success",
        when: hasSite,
      },
      review: { label: both((t) => t.articles.short.back), to: "preview" },
    },
    noBack: true,
  };

  const cancelling: Named = {
    ask: both((t) => t.articles.cancelling),
    to: [way.home, "preview"],
    async work(work) {
      const { data, services, language } = work;
      const whose = whoseOf(work);
      const ended = await ifFound(() =>
        attempted(() => cancelArticle(decideDeps(services), whose, data.runId)),
      );
      const run = await ifFound(() => articleOf(services.sql, whose, data.runId));
      if (ended && !ended.ok && run?.status !== "cancelled")
        return { to: "preview", notice: saidOf(ended.problem, language) };
      const notice = texts[language].articles.cancelled(run ? returnedBy(run) : 0);
      return {
        to: way.homeOf(data),
        notice: run ? `${notice}\n\n${receiptText(run, language)}` : notice,
      };
    },
    failed: { to: "preview", text: both((t) => t.articles.cancelFailed) },
  };

  const taking: Named = {
    ask: both((t) => t.articles.taking),
    to: [way.home, "preview"],
    async work(work) {
      const { data, services, language } = work;
      const whose = whoseOf(work);
      const say = texts[language].articles;
      const taken = await attempted(() => takeArticle(decideDeps(services), whose, data.runId));
      const run = await articleOf(services.sql, whose, data.runId);
      const html = taken.ok ? taken.value : await takenBefore(services, whose.workspaceId, run);
      if (html === undefined)
        return { to: "preview", ...(!taken.ok && { notice: saidOf(taken.problem, language) }) };
      return {
        to: way.homeOf(data),
        say: [{ document: { bytes: new TextEncoder().encode(html) }, name: say.fileName }],
        notice: `${say.taken(run.tokens)}\n\n${receiptText(run, language)}`,
      };
    },
    failed: { to: "preview", text: both((t) => t.articles.takeFailed) },
  };

  return { preview, expired, regenerating, regeneration_short, cancelling, taking };
}

/** The article may have gone on without the person: on another device, or because its day is over. */
async function whereItIs(turn: ArticleTurn) {
  const run = await runOf(turn);
  if (run?.status === "review") {
    const review = await readReview(turn, run);
    return review ? { data: { review } } : { to: "expired" as const, data: { trouble: null } };
  }
  if (run?.status === "publishing" || run?.status === "done") return { to: "publishing" as const };
  if (run?.status === "running" || run?.status === "queued") return { to: "regenerating" as const };
  if (run?.status === "failed" && run.result !== null) return { to: "publishing_failed" as const };
  const said = both((t) => t.articles.expired.text);
  return {
    to: "expired" as const,
    data: { trouble: run ? { said, returned: returnedBy(run), site: "" } : null },
  };
}

/** The HTML again, if the process died after the article was taken and before the file was sent. */
async function takenBefore(
  { articles }: BotServices,
  workspaceId: string,
  { status, result }: RunDetail,
): Promise<string | undefined> {
  const written = articleResult.safeParse(result);
  if (status !== "done" || !written.success || written.data.post_url !== undefined) return undefined;
  return (await pageOf(articles.storage, workspaceId, written.data)).rendered.page;
}

/** Twice for nothing, then for the price of the first time. */
async function regenerate(turn: ArticleTurn) {
  const { language, data } = turn;
  const begun = await ifFound(() =>
    attempted(() => regenerateArticle(decideDeps(inStep(turn)), whoseOf(turn), data.runId)),
  );
  if (!begun) return { refuse: texts[language].articles.gone };
  if (begun.ok) return { to: "regenerating" as const };
  const { problem } = begun;
  if (problem.code === "too_few_tokens")
    return {
      to: "regeneration_short" as const,
      data: { trouble: { said: problem.said, returned: 0, site: "" } },
    };
  return { to: "@stay" as const, notice: saidOf(problem, language) };
}
