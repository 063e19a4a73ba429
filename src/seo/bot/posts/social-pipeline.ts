/** A post for social networks from nothing to published, with whatever is missing made on the way. */
import { dropDescription } from "../categories/describe.ts";
import { inactivity, keepHours } from "../limits.ts";
import type { PrepareName } from "../pipeline/prepare-states.ts";
import { type FirstStep, firstStepOf, isEarly } from "../pipeline/steps.ts";
import { refilled } from "../pipeline/top-up.ts";
import { flow } from "../services.ts";
import { both, type Texts, texts } from "../texts/index.ts";
import { advertStates } from "./advert-states.ts";
import { type ChooseName, chooseStates } from "./choose-states.ts";
import { type CrossName, crossStates } from "./cross-states.ts";
import { noPipeline, pipelineData } from "./pipeline-data.ts";
import type { PostData } from "./post-data.ts";
import { holdsPost, leavePost } from "./publish-post.ts";
import { handOver, publishedAt, publishingState, troubleState } from "./publish-states.ts";
import { readinessStates } from "./readiness-states.ts";
import { goes, type Way, type Ways, writeStates } from "./write-states.ts";

type Extra = ChooseName | PrepareName | CrossName | "advert_details" | "trouble";

const reconnects = {
  telegram: "connect_tg_token",
  vk: "connect_vk_token",
  pinterest: "connect_pinterest_opening",
} as const;

/** Changes of data that only the pipeline has. */
const pipelineChanges = (changes: object): Partial<PostData> => changes;

const checklist: Way<Extra> = {
  to: ["readiness_check"],
  at: () => "readiness_check",
  changes: pipelineChanges({ isChecking: true }),
};

const ways: Ways<Extra> = {
  home: { to: ["screen:dashboard"], at: () => "screen:dashboard" },
  topic: {
    to: ["select_category"],
    at: () => "select_category",
    changes: { runId: "", categoryId: 0, isChoosing: true },
  },
  other: {
    to: ["select_connection"],
    at: () => "select_connection",
    changes: { runId: "", connectionId: 0, isChoosing: true },
  },
  reconnect: {
    to: ["connect_tg_token", "connect_vk_token", "connect_pinterest_opening"],
    at: ({ order }) => reconnects[order.platform],
    changes: pipelineChanges({ isReconnecting: true }),
    keepsPost: true,
  },
  phrases: { to: ["readiness_keywords_city"], at: () => "readiness_keywords_city" },
};

type Step = keyof Texts["posts"]["pipeline"]["steps"];
const steps: Readonly<Record<FirstStep, Step>> = {
  ...{ project: "project", place: "connection", category: "category", readiness: "readiness" },
};

/** Which step of five a state belongs to; what comes after the confirmation counts as the last. */
function stepOf(state: string): Step {
  const step = firstStepOf(state);
  return step ? steps[step] : "confirm";
}

export const socialPipeline = flow({
  name: "SocialPipeline",
  title: both((t) => t.posts.pipeline.title),
  data: pipelineData,
  empty: noPipeline,
  first: "select_project",
  rivals: ({ runId }, state) => (isEarly(state) && runId === "" ? "yield" : "ask"),
  inactivity,
  cancelled: both((t) => t.posts.cancelled),
  keep: {
    hours: keepHours,
    asks: true,
    when: ({ projectId, name, runId }, _, why) =>
      why !== "cancelled" && (projectId !== 0 || name !== "" || runId !== ""),
    summary: ({ place, order, sourceRunId }, state, language) => {
      const { pipeline, cross } = texts[language].posts;
      const project = order.project === "" ? place : order.project;
      const parts = [project, order.category, order.target].filter((part) => part !== "").join(" → ");
      return pipeline.kept(
        parts,
        sourceRunId === "" ? pipeline.steps[stepOf(state)] : cross.review(order.target),
      );
    },
    ended: both((t) => t.posts.pipeline.ended),
  },
  cancelTo: (data, state) => {
    if (!holdsPost(data, state)) return undefined;
    return data.sourceRunId === "" ? "cancelling" : "cross_post_cancelling";
  },
  async leave(turn, why) {
    await leavePost(turn, why);
    await dropDescription(turn);
  },
  events: refilled({ isShort: false }),
  states: {
    ...chooseStates,
    ...readinessStates,
    ...writeStates<Extra>({
      ways,
      isPipeline: true,
      atConfirmation: { checklist: { label: both((t) => t.posts.pipeline.toChecklist), ...goes(checklist) } },
    }),
    ...advertStates,
    handing_over: handOver<"publishing" | "trouble" | "review">({
      ...{ publishing: "publishing", trouble: "trouble", review: "review" },
    }),
    publishing: publishingState<"trouble">({
      trouble: "trouble",
      done: (_, { run_id }) => publishedAt(run_id),
    }),
    trouble: troubleState<Extra | "handing_over" | "confirm_cost" | "cancelling">({
      ...{ ways, handing: "handing_over", again: "confirm_cost", cancelling: "cancelling" },
    }),
    ...crossStates,
  },
});
