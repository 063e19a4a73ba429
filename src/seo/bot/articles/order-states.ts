/** From the confirmation to a written article. */
import type { Both, Text } from "../../../dialogs/index.ts";
import { PageServes } from "../../articles/choose-cluster.ts";
import { orderArticle } from "../../articles/order-article.ts";
import { failures } from "../../articles/warnings.ts";
import { estimateWork } from "../../estimates/estimate.ts";
import type { SeoProblem } from "../../problems.ts";
import { topUpButton } from "../pipeline/top-up.ts";
import { receiptText } from "../runs/receipt.ts";
import { waitForRun } from "../runs/wait-for-run.ts";
import { whoseOf } from "../services.ts";
import { both, texts } from "../texts/index.ts";
import { attempted, ifFound, saidOf } from "../told.ts";
import type { ArticleData } from "./article-data.ts";
import type { ArticleName, ArticleState, ArticleTurn, ArticleWay } from "./article-states.ts";
import { confirmationText, isShort, readConfirmation } from "./confirmation.ts";
import { beginPlan } from "./plan-states.ts";
import { returnedBy, runOf } from "./review.ts";

export function orderStates<Extra extends string>(way: ArticleWay<Extra>) {
  type Named = ArticleState<Extra>;
  const canBegin = (data: ArticleData) => !data.confirmation?.lacking && !isShort(data);
  const { phrases, otherTheme } = way;

  const confirm_cost: Named = {
    ask: (data, language) => confirmationText(way.headers.confirm[language], data, language),
    prepare: {
      to: ["screen:dashboard"],
      async take(turn) {
        const confirmation = await readConfirmation(turn);
        if (confirmation) return { data: { confirmation } };
        return { to: "screen:dashboard", notice: texts[turn.language].articles.gone };
      },
    },
    buttons: {
      create: { label: way.create, to: "ordering", style: "success", when: canBegin },
      top_up: topUpButton(
        (data: ArticleData) => !data.confirmation?.lacking && isShort(data),
        both((t) => t.articles.confirm.topUp),
      ),
      plan: {
        label: both((t) => t.articles.confirm.plan),
        to: ["planning", "@stay"],
        when: (data) => canBegin(data) && data.planId === "",
        press: (turn) => beginPlan(turn),
      },
      phrases: { ...phrases, when: (data) => data.confirmation?.lacking !== null, style: "primary" },
      ...way.atConfirmation,
    },
  };

  const ordering: Named = {
    ask: both((t) => t.articles.ordering),
    to: ["generating", "confirm_cost", "page_serves", "screen:dashboard"],
    async work(work) {
      const { data, services, language } = work;
      const whose = whoseOf(work);
      const { connectionId, planId, phrase, update, anyway, categoryId } = data;
      const ordered = await ifFound(() =>
        attempted(() =>
          orderArticle(services, services.kinds.article, whose, categoryId, {
            ...(connectionId !== null && { connectionId }),
            ...(planId !== "" && { plan: planId }),
            ...(planId === "" && phrase !== "" && { phrase }),
            ...(update !== "" && { update }),
            ...{ anyway, requestKey: work.id },
          }),
        ),
      );
      if (!ordered) return { to: "screen:dashboard", notice: texts[language].articles.gone };
      if (ordered.ok)
        return {
          to: "generating",
          data: { runId: ordered.value.run_id, needed: 0, review: null, served: null, trouble: null },
        };
      const { problem } = ordered;
      if (problem instanceof PageServes)
        return {
          to: "page_serves",
          data: {
            served: { said: problem.said, url: problem.page.url ?? null, others: [...problem.others] },
          },
        };
      const needed =
        problem.code === "too_few_tokens"
          ? (await estimateWork(services, whose, categoryId)).tokens.about
          : data.needed;
      return {
        to: "confirm_cost",
        data: { needed, ...(problem.code === "value_refused" && { planId: "", phrase: "", update: "" }) },
        ...(!isTold(problem) && { notice: saidOf(problem, language) }),
      };
    },
    failed: { to: "confirm_cost", text: both((t) => t.articles.orderFailed) },
  };

  const page_serves: Named = {
    ask: ({ served }, language) => served?.said[language] ?? texts[language].articles.serves.which,
    buttons: {
      update: {
        label: both((t) => t.articles.serves.update),
        to: "ordering",
        when: ({ served }) => served?.url !== null,
        press: ({ data }) => ({ data: { update: data.served?.url ?? "", planId: "" } }),
      },
      other: { label: both((t) => t.articles.serves.other), to: "other_phrase" },
      anyway: {
        label: both((t) => t.articles.serves.anyway),
        to: "ordering",
        press: () => ({ data: { anyway: true } }),
      },
    },
    noBack: true,
  };

  const other_phrase: Named = {
    ask: ({ served }, language) => {
      const say = texts[language].articles.serves;
      return (served?.others.length ?? 0) > 0 ? say.which : say.none;
    },
    buttons: {
      phrase: {
        label: both(() => ""),
        each: ({ served }) =>
          (served?.others ?? []).map((label, index) => ({ arg: String(index), label: label.slice(0, 60) })),
        to: "confirm_cost",
        press: ({ data }, arg) => ({
          data: { phrase: data.served?.others[Number(arg)] ?? "", planId: "", anyway: false, update: "" },
        }),
      },
      theme: otherTheme,
      more: { ...phrases, label: both((t) => t.articles.serves.more) },
    },
  };

  const generating: Named = writingState(way, way.headers.generating);

  const generation_failed: Named = {
    ask: ({ trouble }, language) => {
      const say = texts[language].articles.generationFailed;
      const headline =
        (trouble?.returned ?? 0) > 0 ? way.failure(trouble?.returned ?? 0)[language] : say.free;
      // The usual failure is the headline itself.
      const more = (trouble?.said[language] ?? "").replace(failures.text_failed[language], "").trim();
      return [headline, ...(more === "" ? [] : [more]), say.next].join("\n\n");
    },
    buttons: {
      again: { label: way.retry, to: "ordering", style: "primary" },
      other: otherTheme,
      category: {
        label: both((t) => t.common.toCategory),
        to: "screen:category:{id}:card",
        press: ({ data }) => ({ to: `screen:category:${data.categoryId}:card` }),
      },
    },
    noBack: true,
  };

  return { confirm_cost, ordering, page_serves, other_phrase, generating, generation_failed };
}

/** Waits for the text, the first time and when it is written anew. */
export const writingState = <Extra extends string>(way: ArticleWay<Extra>, ask: Both<Text>) =>
  waitForRun<ArticleData, ArticleName>({
    ask,
    runId: ({ runId }) => runId,
    outcomes: {
      review: { to: "preview" },
      cancelled: {
        to: way.home,
        async take(turn) {
          const { data, language } = turn;
          const run = await runOf(turn);
          const receipt = run ? `\n\n${receiptText(run, language)}` : "";
          return { to: way.homeOf(data), notice: `${texts[language].articles.stopped}${receipt}` };
        },
      },
      failed: { to: ["generation_failed", "page_serves", "expired"], take: (turn) => afterFailure(turn) },
    },
  });

/** The confirmation itself says how many tokens are missing, or that there is no phrase. */
const isTold = ({ code }: SeoProblem) => code === "too_few_tokens" || code === "no_phrase";

/** A run that failed says why. One that found a page for its phrase on its way is asked about like an order. */
async function afterFailure(turn: ArticleTurn) {
  const run = await runOf(turn);
  const said = run?.error?.message;
  if (!run || !said || run.status === "expired") return { to: "expired" as const };
  if (run.error?.code === "page_serves")
    return { to: "page_serves" as const, data: { served: { said, url: null, others: [] } } };
  return {
    to: "generation_failed" as const,
    data: { runId: "", trouble: { said, returned: returnedBy(run), site: "" } },
  };
}
