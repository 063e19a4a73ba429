/** Step 4 of the pipeline: what a post needs, phrases and a description, on one screen. */
import { readCategory } from "../../categories/categories.ts";
import { checklistState, prepareStates } from "../pipeline/prepare-states.ts";
import { inStep, whoseOf } from "../services.ts";
import { type Texts, texts } from "../texts/index.ts";
import { ifFound } from "../told.ts";
import type { PipelineData } from "./pipeline-data.ts";
import { readOrder } from "./post-data.ts";

const heading = (t: Texts) => t.posts.pipeline.steps.readiness;

const readiness_check = checklistState<PipelineData>({
  ask: ({ order: { clusters, about, isFree }, hasDescription, spent }, language) => {
    const { confirm, pipeline } = texts[language].posts;
    const { steps, checklist: say } = pipeline;
    return [
      steps.readiness,
      "",
      clusters > 0 && hasDescription ? say.ready : say.text,
      clusters > 0 ? say.hasKeywords(clusters) : say.keywords,
      hasDescription ? say.hasDescription : say.description,
      "",
      isFree ? confirm.free(about) : say.cost(about, spent),
    ].join("\n");
  },
  async read(turn) {
    const { data } = turn;
    const category = await ifFound(() => readCategory(inStep(turn).sql, whoseOf(turn), data.categoryId));
    const order = category && (await readOrder(turn, data));
    if (!category || !order) return undefined;
    const hasDescription = (category.description ?? "") !== "";
    return { data: { order, hasDescription }, isComplete: order.clusters > 0 && hasDescription };
  },
  lacksPhrases: ({ order }) => order.clusters === 0,
  lacksDescription: ({ hasDescription }) => !hasDescription,
  words: ({ posts, categories }) => {
    const { findKeywords: keywords, describe: description, go } = posts.pipeline.checklist;
    return { keywords, description, go, gone: categories.gone };
  },
});

export const readinessStates = { readiness_check, ...prepareStates(heading) };
