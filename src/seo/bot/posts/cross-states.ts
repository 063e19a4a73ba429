/** A published post for another place: adapted, reviewed, published. The published one stays as it is, whatever happens here. */
import type { AskState, StepResult, WorkState } from "../../../dialogs/index.ts";
import { orderCrossPost } from "../../posts/order-cross-post.ts";
import { platformNames } from "../../settings/platform-names.ts";
import { topUpButton } from "../pipeline/top-up.ts";
import { waitForRun } from "../runs/wait-for-run.ts";
import { type BotServices, whoseOf } from "../services.ts";
import { both, texts } from "../texts/index.ts";
import { attempted, ifFound, saidOf } from "../told.ts";
import { type PostData, type PostTurn, postView, readPost } from "./post-data.ts";
import { againButton, handOver, publishedAt, publishingState } from "./publish-states.ts";
import {
  cancellingState,
  resultAddress,
  resultPath,
  reviewText,
  type Way,
  type Ways,
} from "./write-states.ts";

export type CrossName =
  | "cross_post_ordering"
  | "cross_post_adapting"
  | "cross_post_review"
  | "cross_post_handing"
  | "cross_post_publishing"
  | "cross_post_trouble"
  | "cross_post_cancelling";

type Result = StepResult<PostData, CrossName>;
type Asked = AskState<PostData, CrossName, BotServices>;

const lost = { isRefused: false, waits: false, isLost: true };

/** Back to the published post. */
const toSource = ({ data }: PostTurn): Result => ({ to: resultAddress(data.sourceRunId) });

const cross_post_ordering: WorkState<PostData, CrossName, BotServices> = {
  ask: both((t) => t.posts.cross.ordering),
  to: ["cross_post_adapting", "cross_post_trouble", "screen:dashboard"],
  async work({ id, data, services, language, ...work }) {
    const { sourceRunId, connectionId } = data;
    const ordered = await ifFound(() =>
      attempted(() =>
        orderCrossPost(services, services.kinds.crossPost, whoseOf(work), sourceRunId, {
          ...{ connectionId, requestKey: id },
        }),
      ),
    );
    const say = texts[language].posts;
    if (!ordered) return { to: "screen:dashboard", notice: say.trouble.gone };
    if (ordered.ok)
      return { to: "cross_post_adapting", data: { runId: ordered.value.run_id, isShort: false } };
    const said = `${saidOf(ordered.problem, language)}\n${say.cross.notBegun}\n${say.cross.original}`;
    const isShort = ordered.problem.code === "too_few_tokens";
    return { to: "cross_post_trouble", data: { runId: "", isShort, trouble: { ...lost, said } } };
  },
  failed: { to: "screen:dashboard", text: both((t) => t.posts.cross.notBegun) },
};

const cross_post_adapting = waitForRun<PostData, CrossName>({
  ask: ({ order }, language) => texts[language].posts.cross.adapting(order.target),
  runId: ({ runId }) => runId,
  outcomes: {
    review: { to: "cross_post_review" },
    cancelled: {
      to: resultPath,
      take: (turn) => ({ ...toSource(turn), notice: texts[turn.language].runs.stopped }),
    },
    failed: { to: "cross_post_trouble", take: async (turn) => ({ data: await notAdapted(turn) }) },
  },
});

/** E52: its own tokens are back, the published post stays. */
async function notAdapted(turn: PostTurn): Promise<Partial<PostData>> {
  const { data, language } = turn;
  const say = texts[language].posts.cross;
  const run = await readPost(turn);
  const why = run?.error?.code === "text_failed" ? run.error.message[language] : undefined;
  const said = `${why ?? say.failed(platformNames[data.order.platform])}\n${say.original}`;
  return { runId: "", trouble: { ...lost, said } };
}

const cross_post_review: Asked = {
  ask: (data, language) => reviewText(data, language),
  picture: ({ post }) => (post.picture === null ? undefined : { stored: post.picture }),
  noBack: true,
  prepare: {
    to: ["cross_post_trouble", "cross_post_adapting", "cross_post_publishing", resultPath],
    async take(turn): Promise<Result> {
      const run = await readPost(turn);
      if (run?.status === "queued" || run?.status === "running") return { to: "cross_post_adapting" };
      if (run?.status === "publishing") return { to: "cross_post_publishing" };
      if (run?.status === "done") return { to: resultAddress(run.run_id) };
      const post = run?.status === "review" && postView(run, turn);
      if (post) return { data: { post } };
      const said = texts[turn.language].posts.lost;
      return { to: "cross_post_trouble", data: { runId: "", trouble: { ...lost, said } } };
    },
  },
  buttons: {
    publish: {
      label: ({ order }, language) => texts[language].posts.cross.publishIn(platformNames[order.platform]),
      style: "success",
      to: "cross_post_handing",
    },
    skip: {
      label: both((t) => t.posts.trouble.skip),
      to: "cross_post_cancelling",
      press: () => ({ data: { after: "source" } }),
    },
  },
};

const cross_post_trouble: Asked = {
  ask: ({ trouble }) => trouble.said,
  noBack: true,
  buttons: {
    again: againButton({ handing: "cross_post_handing", again: "cross_post_ordering" }),
    top_up: topUpButton(({ isShort }: PostData) => isShort),
    skip: {
      label: both((t) => t.posts.trouble.skip),
      to: ["cross_post_cancelling", resultPath],
      press: (turn) =>
        turn.data.trouble.isLost
          ? toSource(turn)
          : { to: "cross_post_cancelling", data: { after: "source" } },
    },
  },
};

const home: Way<CrossName> = { to: ["screen:dashboard"], at: () => "screen:dashboard" };
const ways: Ways<CrossName> = {
  ...{ home, topic: home, other: home, reconnect: home, phrases: home },
};

export const crossStates = {
  ...{ cross_post_ordering, cross_post_adapting, cross_post_review, cross_post_trouble },
  cross_post_handing: handOver<CrossName>({
    ...{ publishing: "cross_post_publishing", trouble: "cross_post_trouble", review: "cross_post_review" },
  }),
  cross_post_publishing: publishingState<CrossName>({
    trouble: "cross_post_trouble",
    done: (_, { run_id }) => publishedAt(run_id),
  }),
  cross_post_cancelling: cancellingState<CrossName>({ ways, review: "cross_post_review" }),
} as const;
