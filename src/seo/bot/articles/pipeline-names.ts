import type { ChooseName } from "../pipeline/choose-states.ts";
import type { PrepareName } from "../pipeline/prepare-states.ts";
import { type FirstStep, firstStepOf } from "../pipeline/steps.ts";
import type { Texts } from "../texts/index.ts";
import type { ArticleName } from "./article-states.ts";

/** States of the pipeline; those of the article itself are in `ArticleName`. */
export type PipelineOwn = ChooseName | PrepareName | SiteName | MoreName;
type SiteName =
  | "repeat"
  | "select_wp"
  | "connect_wp_url"
  | "connect_wp_probing"
  | "connect_wp_login"
  | "connect_wp_password"
  | "connect_wp_checking"
  | "connect_wp_elsewhere"
  | "connect_wp_failed";
type MoreName =
  | "readiness_prices"
  | "readiness_prices_text"
  | "readiness_prices_file"
  | "configure_images"
  | "images_count";
export type PipelineName = ArticleName | PipelineOwn;

type Step = keyof Texts["articles"]["pipeline"]["steps"];

const first: Readonly<Record<FirstStep, Step>> = {
  ...{ project: "project", place: "site", category: "theme", readiness: "preparation" },
};

const later: Readonly<Record<ArticleName, Step>> = {
  ...{
    confirm_cost: "confirmation",
    planning: "confirmation",
    plan: "confirmation",
    ordering: "confirmation",
  },
  ...{ page_serves: "confirmation", other_phrase: "confirmation", generating: "generating" },
  ...{ generation_failed: "generating", preview: "preview", expired: "preview", regenerating: "preview" },
  ...{ regeneration_short: "preview", cancelling: "preview", taking: "preview" },
  ...{ publishing_begins: "publishing", publishing: "publishing", publishing_failed: "publishing" },
  select_site: "publishing",
};

/** The step that a state belongs to. */
export function stepOf(state: string): Step {
  const step = firstStepOf(state);
  if (step) return first[step];
  return Object.entries(later).find(([name]) => name === state)?.[1] ?? "project";
}
