/** One post for one connection, from the platform's menu. */
import type { Leaving } from "../../../dialogs/index.ts";
import { inactivity, keepHours } from "../limits.ts";
import { refilled } from "../pipeline/top-up.ts";
import { flow, inStep, whoseOf } from "../services.ts";
import { both } from "../texts/index.ts";
import { advertStates } from "./advert-states.ts";
import { isTooDear, noPost, type PostData, type PostTurn, postData } from "./post-data.ts";
import { handOver, publishedAt, publishingState, troubleState } from "./publish-states.ts";
import { type Ways, writeStates } from "./write-states.ts";

type Extra = "advert_details" | "trouble";

const ways: Ways<never> = {
  home: {
    to: ["screen:category:{id}:connection:{connection}:menu"],
    at: ({ categoryId, connectionId }) => `screen:category:${categoryId}:connection:${connectionId}:menu`,
  },
  topic: {
    to: ["screen:project:{id}:categories"],
    at: ({ projectId }) => `screen:project:${projectId}:categories`,
  },
  other: {
    to: ["screen:project:{id}:connections"],
    at: ({ projectId }) => `screen:project:${projectId}:connections`,
  },
  reconnect: {
    to: ["screen:project:{id}:connect:{@platform}"],
    at: ({ projectId, order }) => `screen:project:${projectId}:connect:${order.platform}`,
  },
  phrases: {
    to: ["screen:category:{id}:keywords:find"],
    at: ({ categoryId }) => `screen:category:${categoryId}:keywords:find`,
  },
};

/** In these states a text waits for a decision. */
const decisions: ReadonlySet<string> = new Set([
  ...["review", "advert_kind", "advert_details", "trouble"],
  ...["cross_post_review", "cross_post_trouble"],
]);

export const holdsPost = ({ runId, trouble }: PostData, state: string): boolean =>
  runId !== "" && decisions.has(state) && !(state.endsWith("trouble") && trouble.isLost);

/** What nobody decides on any more is lost and paid for (E26, E27); who cancels, gets the tokens back. */
export async function leavePost(turn: PostTurn, why: Leaving): Promise<void> {
  const { runId } = turn.data;
  if (runId === "") return;
  const { runs } = inStep(turn);
  const key = { ...whoseOf(turn), runId };
  const isLost = why !== "cancelled" && (await runs.lose(key));
  if (!isLost) await runs.cancel(key);
}

const waiting: ReadonlySet<string> = new Set(["generating", "regenerating", "publishing"]);

export const publishPost = flow({
  name: "SocialPostPublish",
  title: both((t) => t.posts.title),
  data: postData,
  empty: noPost,
  first: "confirm_cost",
  rivals: "replace",
  inactivity: { ...inactivity, text: both((t) => t.posts.lost) },
  cancelled: both((t) => t.posts.cancelled),
  // Who goes elsewhere while it is written is brought back.
  keep: {
    hours: keepHours,
    when: (data, state, why) => waiting.has(state) || (why === "replaced" && isTooDear(data.order)),
    ended: both((t) => t.posts.pipeline.ended),
  },
  cancelTo: (data, state) => (holdsPost(data, state) ? "cancelling" : undefined),
  leave: leavePost,
  events: refilled({ isShort: false }),
  states: {
    ...writeStates<Extra>({ ways, isPipeline: false }),
    ...advertStates,
    handing_over: handOver({ publishing: "publishing", trouble: "trouble", review: "review" }),
    publishing: publishingState<"trouble">({
      trouble: "trouble",
      done: (_, { run_id }) => publishedAt(run_id),
    }),
    trouble: troubleState<"handing_over" | "confirm_cost" | "cancelling">({
      ...{ ways, handing: "handing_over", again: "confirm_cost", cancelling: "cancelling" },
    }),
  },
});
