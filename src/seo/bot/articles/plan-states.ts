/** The plan of an article before it is paid: what readers ask, what others leave out, what only this business can say. */
import type { Language, State, StepContext, StepResult } from "../../../dialogs/index.ts";
import { orderPlan, type WantedPlan } from "../../articles/order-plan.ts";
import { type Plan, planResult } from "../../articles/plan-shape.ts";
import { readRun } from "../../runs/read-runs.ts";
import { waitForRun } from "../runs/wait-for-run.ts";
import { type BotServices, inStep, whoseOf } from "../services.ts";
import { both, texts } from "../texts/index.ts";
import { attempted, ifFound, saidOf } from "../told.ts";
import type { ArticleData, ShownPlan } from "./article-data.ts";

type Turn = StepContext<ArticleData, BotServices>;
type PlanName = "confirm_cost" | "planning" | "plan" | "ordering";
type PlanState = State<ArticleData, PlanName, BotServices>;

/** Orders a plan in the step itself: it costs nothing and needs the database alone. */
export async function beginPlan(
  turn: Turn,
  answer?: string,
): Promise<StepResult<ArticleData, "planning" | "@stay">> {
  const { categoryId, connectionId, phrase } = turn.data;
  const services = inStep(turn);
  const wanted: WantedPlan = {
    ...(connectionId !== null && { connectionId }),
    ...(phrase !== "" && { phrase }),
    ...(answer !== undefined && { answer }),
  };
  const ordered = await ifFound(() =>
    attempted(() => orderPlan(services, services.kinds.plan, whoseOf(turn), categoryId, wanted)),
  );
  const { articles } = texts[turn.language];
  if (!ordered) return { refuse: articles.gone };
  if (!ordered.ok) return { refuse: saidOf(ordered.problem, turn.language) };
  return {
    to: "planning",
    data: { planId: ordered.value.run_id, ...(answer !== undefined && { isAnswered: true }) },
    ...(answer !== undefined && { notice: articles.plan.answered }),
  };
}

export const planStates = {
  planning: waitForRun<ArticleData, PlanName>({
    ask: both((t) => t.articles.plan.making),
    runId: ({ planId }) => planId,
    outcomes: {
      done: {
        to: "plan",
        async take(turn) {
          const { workspaceId, userId } = whoseOf(turn);
          const run = await readRun(inStep(turn).sql, workspaceId, turn.data.planId, userId);
          const plan = planResult.parse(run.result);
          return { data: { plan: shownPlan(plan, turn.data), phrase: plan.phrase } };
        },
      },
      cancelled: {
        to: "confirm_cost",
        take: ({ language }) => ({ data: { planId: "" }, notice: texts[language].articles.plan.stopped }),
      },
      failed: {
        to: "confirm_cost",
        async take(turn) {
          const { workspaceId, userId } = whoseOf(turn);
          const { language, data } = turn;
          const run = await ifFound(() => readRun(inStep(turn).sql, workspaceId, data.planId, userId));
          const said = run?.error?.message[language] ?? texts[language].articles.plan.stopped;
          return { data: { planId: "" }, notice: said };
        },
      },
    },
  }),
  plan: {
    ask: (data, language) => planText(data, language),
    text: {
      to: ["planning", "@stay"],
      take: (turn, typed) =>
        turn.data.plan?.question
          ? beginPlan(turn, typed)
          : { refuse: texts[turn.language].articles.plan.noQuestion },
    },
    buttons: {
      create: { label: both((t) => t.articles.confirm.create), to: "ordering", style: "success" },
      confirm: { label: both((t) => t.articles.plan.toConfirm), to: "confirm_cost" },
    },
    noBack: true,
  },
} satisfies Readonly<Record<string, PlanState>>;

function shownPlan(plan: Plan, { isAnswered }: ArticleData): ShownPlan {
  return {
    ...{
      phrase: plan.phrase,
      angle: plan.angle,
      titles: plan.titles,
      readers: plan.readers,
      gaps: plan.gaps,
    },
    sources: plan.sources.map(({ url, title }) => ({ url, title })),
    ...{ needs: plan.source_needs, own: plan.own_facts, from: plan.tokens.from, to: plan.tokens.to },
    warnings: plan.warnings.map(({ message }) => message),
    question: isAnswered ? null : plan.question,
  };
}

/** Of a list, so many stand on the screen. */
const most = { titles: 3, gaps: 6, sources: 5, needs: 3, own: 8, line: 160 };

function planText({ plan }: ArticleData, language: Language): string {
  const say = texts[language].articles.plan;
  if (!plan) return say.making;
  const short = (line: string) => (line.length > most.line ? `${line.slice(0, most.line - 1)}…` : line);
  const list = (title: string, items: readonly string[], longest: number) =>
    items.length === 0 ? [] : ["", title, ...items.slice(0, longest).map((item) => `• ${short(item)}`)];
  return [
    say.title(plan.phrase),
    ...(plan.angle === "" ? [] : ["", say.angle(short(plan.angle))]),
    ...list(say.titles, plan.titles, most.titles),
    ...list(
      say.readers,
      plan.readers.map(({ reader, questions }) => `${reader}: ${questions.join(" ")}`),
      5,
    ),
    ...list(say.gaps, plan.gaps, most.gaps),
    ...list(
      say.sources,
      plan.sources.map(({ title, url }) => (title === "" ? url : title)),
      most.sources,
    ),
    ...list(say.needs, plan.needs, most.needs),
    ...(plan.own.length > 0 ? list(say.own, plan.own, most.own) : ["", say.own, `• ${say.noOwn}`]),
    ...plan.warnings.flatMap((said) => ["", said[language]]),
    "",
    say.cost(plan.from, plan.to),
    "",
    plan.question ? say.question(plan.question[language]) : say.next,
  ].join("\n");
}
