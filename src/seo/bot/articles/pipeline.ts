/** From nothing to an article on the site: the project, the site, the theme, the preparation, then the article itself. */
import { dropDescription } from "../categories/describe.ts";
import { inactivity, keepHours } from "../limits.ts";
import { isEarly } from "../pipeline/steps.ts";
import { refilled } from "../pipeline/top-up.ts";
import { flow } from "../services.ts";
import { both, texts } from "../texts/index.ts";
import { anotherArticle } from "./article-data.ts";
import { type ArticleWay, articleStates } from "./article-states.ts";
import { expiry } from "./expiry.ts";
import { giveUpRun } from "./give-up-run.ts";
import { choiceStates } from "./pipeline-choices.ts";
import { emptyPipeline, type PipelineData, pipelineData } from "./pipeline-data.ts";
import { type PipelineName, type PipelineOwn, stepOf } from "./pipeline-names.ts";
import { readinessStates } from "./readiness.ts";

/** Data of the pipeline that a state of the article may change. */
const changing = (data: Partial<PipelineData>) => ({ data });

const way: ArticleWay<PipelineOwn> = {
  headers: {
    confirm: both((t) => t.articles.pipeline.steps.confirmation),
    generating: both((t) => t.articles.pipeline.steps.generating),
    preview: both((t) => t.articles.pipeline.steps.preview),
    publishing: both((t) => t.articles.pipeline.steps.publishing),
  },
  create: both((t) => t.articles.confirm.create),
  retry: both((t) => t.common.again),
  failure: (returned) => both((t) => t.articles.generationFailed.pipeline(returned)),
  phrases: { label: both((t) => t.articles.confirm.findPhrases), to: "readiness_keywords_city" },
  otherTheme: {
    label: both((t) => t.articles.pipeline.otherTheme),
    to: "select_category",
    press: () => changing({ ...anotherArticle, isChoosing: true, page: 1 }),
  },
  atConfirmation: {
    checklist: {
      label: both((t) => t.articles.confirm.checklist),
      to: "readiness_check",
      press: () => changing({ isChecking: true }),
    },
  },
  atPreview: {
    connect: {
      label: both((t) => t.articles.preview.connect),
      to: "select_wp",
      style: "success",
      when: ({ review }) => review?.site === null && !review.byHand,
    },
  },
  home: "screen:dashboard",
  homeOf: () => "screen:dashboard",
};

export const articlePipeline = flow({
  name: "ArticlePipeline",
  title: both((t) => t.articles.pipeline.title),
  data: pipelineData,
  empty: emptyPipeline,
  first: "repeat",
  rivals: ({ runId }, state) => (state === "expired" || (isEarly(state) && runId === "") ? "yield" : "ask"),
  inactivity,
  cancelled: both((t) => t.common.cancelled),
  keep: {
    hours: keepHours,
    asks: true,
    when: ({ projectId, name }, state, why) =>
      why !== "cancelled" && state !== "expired" && (projectId !== 0 || name !== ""),
    summary: ({ place, name }, state, language) => {
      const say = texts[language].articles.pipeline;
      return say.kept(place === "" ? name : place, say.steps[stepOf(state)]);
    },
    ended: both((t) => t.articles.pipeline.ended),
  },
  async leave(turn, why) {
    await giveUpRun(turn, why);
    await dropDescription(turn);
  },
  events: { ...refilled({ needed: 0 }), ...expiry },
  states: { ...choiceStates, ...readinessStates, ...articleStates(way) } satisfies Record<
    PipelineName,
    unknown
  >,
});
