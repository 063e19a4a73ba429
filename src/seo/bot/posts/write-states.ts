/** From the confirmation of a post to its review: in the flow of one post, and in the pipeline. */
import type { AskState, StepResult, Target, WaitState, WorkState } from "../../../dialogs/index.ts";
import { looksLikeAdvert } from "../../adverts/index.ts";
import { cancelPost, postOf, regeneratePost } from "../../posts/decide-post.ts";
import { orderPost } from "../../posts/order-post.ts";
import { endings, failures } from "../../posts/words.ts";
import { goneHome } from "../categories/gone.ts";
import { topUpButton } from "../pipeline/top-up.ts";
import { receiptText } from "../runs/receipt.ts";
import { waitForRun } from "../runs/wait-for-run.ts";
import { type BotServices, inStep, whoseOf } from "../services.ts";
import { both, texts } from "../texts/index.ts";
import { attempted, ifFound, saidOf } from "../told.ts";
import {
  isTooDear,
  longestShown,
  type PostData,
  type PostTurn,
  postView,
  readOrder,
  readPost,
  returnedTokens,
  shownText,
} from "./post-data.ts";

/** Targets, and which of them it is for the data. */
export interface Way<Name extends string> {
  readonly to: readonly [Target<Name>, ...Target<Name>[]];
  at(data: PostData): Target<Name>;
  /** What is chosen anew there. */
  readonly changes?: Partial<PostData>;
  /** The post waits meanwhile; otherwise its tokens go back first. */
  readonly keepsPost?: boolean;
}

/** A button that goes this way. */
export const goes = <Name extends string>({ to, at, changes }: Way<Name>) => ({
  to,
  press: ({ data }: PostTurn): StepResult<PostData, Name> => ({
    to: at(data),
    ...(changes && { data: changes }),
  }),
});

/** Where the states lead that differ between the flows. */
export interface Ways<Name extends string> {
  /** After a cancellation. */
  readonly home: Way<Name>;
  /** To choose another topic, another connection, or to connect this one again. */
  readonly topic: Way<Name>;
  readonly other: Way<Name>;
  readonly reconnect: Way<Name>;
  readonly phrases: Way<Name>;
}

export const resultPath = "screen:post:{@run}:result";
export const resultAddress = (runId: string) => `screen:post:${runId}:result` as const;

type WriteState = "confirm_cost" | "generating" | "regenerating" | "review" | "over" | "cancelling";
/** States that others write. */
type Beyond = "publishing" | "advert_kind" | "handing_over";

interface Writing<Name extends string> {
  readonly ways: Ways<Name>;
  readonly isPipeline: boolean;
  /** More ways on at the confirmation. */
  readonly atConfirmation?: NonNullable<AskState<PostData, Name, BotServices>["buttons"]>;
}

interface WriteStates<Name extends string> {
  readonly confirm_cost: AskState<PostData, Name, BotServices>;
  readonly generating: WaitState<PostData, Name, BotServices>;
  readonly regenerating: WaitState<PostData, Name, BotServices>;
  readonly review: AskState<PostData, Name, BotServices>;
  readonly over: AskState<PostData, Name, BotServices>;
  readonly cancelling: WorkState<PostData, Name, BotServices>;
}

export function writeStates<Extra extends string>({
  ways,
  isPipeline,
  atConfirmation = {},
}: Writing<WriteState | Beyond | Extra>): WriteStates<WriteState | Beyond | Extra> {
  type Name = WriteState | Beyond | Extra;
  type Result = StepResult<PostData, Name>;
  const ended = async (turn: PostTurn): Promise<Result> => ({ to: "over", data: await lossOf(turn) });
  const stopped = async (turn: PostTurn): Promise<Result> => {
    const run = await readPost(turn);
    const receipt = run ? `\n\n${receiptText(run, turn.language)}` : "";
    return {
      to: ways.home.at(turn.data),
      data: { runId: "" },
      notice: `${texts[turn.language].runs.stopped}${receipt}`,
    };
  };
  const writing = (ask: (t: (typeof texts)["ru"]) => string) =>
    waitForRun<PostData, Name>({
      ask: both(ask),
      runId: ({ runId }) => runId,
      outcomes: {
        review: { to: "review" },
        cancelled: { to: ways.home.to, take: stopped },
        failed: { to: "over", take: ended },
      },
    });

  return {
    confirm_cost: {
      ask: (data, language) => confirmText(data, language, isPipeline),
      prepare: {
        to: ["screen:dashboard"],
        async take(turn) {
          const order = await readOrder(turn, turn.data);
          return order ? { data: { order, runId: "", kind: "unasked", isShort: false } } : goneHome(turn);
        },
      },
      buttons: {
        yes: {
          label: both((t) => (isPipeline ? t.posts.confirm.create : t.posts.confirm.yes)),
          style: "success",
          when: ({ order }) => order.clusters > 0 && !isTooDear(order),
          to: ["generating", "@stay", "screen:dashboard"],
          async press(turn) {
            const services = inStep(turn);
            const { categoryId, connectionId } = turn.data;
            const ordered = await ifFound(() =>
              attempted(() =>
                orderPost(services, services.kinds.post, whoseOf(turn), categoryId, { connectionId }),
              ),
            );
            if (!ordered) return goneHome(turn);
            if (!ordered.ok) return { to: "@stay", notice: saidOf(ordered.problem, turn.language) };
            return { to: "generating", data: { runId: ordered.value.run_id } };
          },
        },
        phrases: {
          label: both((t) => t.posts.confirm.phrases),
          style: "primary",
          when: ({ order }) => order.clusters === 0,
          ...goes(ways.phrases),
        },
        top_up: topUpButton(
          ({ order }: PostData) => order.clusters > 0 && isTooDear(order),
          both((t) => t.posts.confirm.topUp),
        ),
        ...atConfirmation,
        cancel: { label: both((t) => t.common.cancel), ...goes(ways.home) },
      },
    },
    generating: writing((t) => t.posts.generating),
    regenerating: writing((t) => t.posts.regenerating),
    review: {
      ask: (data, language) => reviewText(data, language),
      picture: ({ post }) => (post.picture === null ? undefined : { stored: post.picture }),
      noBack: true,
      prepare: {
        to: ["over", "generating", "publishing", resultPath],
        async take(turn): Promise<Result> {
          const run = await readPost(turn);
          if (run?.status === "queued" || run?.status === "running") return { to: "generating" };
          if (run?.status === "publishing") return { to: "publishing" };
          if (run?.status === "done") return { to: resultAddress(run.run_id) };
          const post = run?.status === "review" && postView(run, turn);
          if (!post) return ended(turn);
          const isNew = post.text !== turn.data.post.text;
          return {
            data: { post },
            ...(isNew && post.text.length > longestShown && { say: [wholeText(post.text, turn)] }),
          };
        },
      },
      buttons: {
        publish: {
          label: ({ isShort }, language) => {
            const say = texts[language].posts.review;
            return isShort ? say.publishThis : say.publish;
          },
          style: "success",
          to: ["handing_over", "advert_kind"],
          press: ({ data: { post, kind } }) => ({
            to: kind === "unasked" && looksLikeAdvert(post.text) ? "advert_kind" : "handing_over",
          }),
        },
        regenerate: {
          label: ({ post }, language) => {
            const say = texts[language].posts.review;
            return post.again > 0 ? say.regeneratePaid(post.again) : say.regenerate;
          },
          to: ["regenerating", "@stay"],
          async press(turn) {
            const { runs, sql, articles, cleanUp } = inStep(turn);
            const deps = { ...articles, sql, runs, cleanUp };
            const begun = await attempted(() => regeneratePost(deps, whoseOf(turn), turn.data.runId));
            if (begun.ok) return { to: "regenerating", data: { isShort: false, kind: "unasked" } };
            const isShort = begun.problem.code === "too_few_tokens";
            return { to: "@stay", data: { isShort }, notice: saidOf(begun.problem, turn.language) };
          },
        },
        top_up: topUpButton(({ isShort }: PostData) => isShort),
        phrases: {
          label: both((t) => t.articles.preview.findPhrases),
          to: "screen:category:{id}:keywords",
          when: ({ post }) => post.wantsPhrases,
          press: ({ data }) => ({ to: `screen:category:${data.categoryId}:keywords`, keep: true }),
        },
      },
    },
    over: {
      ask: ({ trouble }, language) => `${trouble.said}\n\n${texts[language].posts.over.whatNext}`,
      noBack: true,
      noCancel: true,
      buttons: {
        again: { label: both((t) => t.common.again), style: "primary", to: "confirm_cost" },
        topic: { label: both((t) => t.posts.over.otherTopic), ...goes(ways.topic) },
        home: { label: both((t) => t.common.mainMenu), to: "screen:dashboard" },
      },
    },
    cancelling: cancellingState({ ways, review: "review" }),
  };
}

/** Gives the tokens of a post back, deletes its pictures, and goes where the person wanted to go. */
export function cancellingState<Name extends string>({
  ways,
  review,
}: {
  readonly ways: Ways<Name>;
  readonly review: Name;
}): WorkState<PostData, Name, BotServices> {
  return {
    ask: both((t) => t.posts.review.cancelling),
    to: [...ways.home.to, ...ways.other.to, ...ways.topic.to, ...ways.reconnect.to, resultPath],
    async work({ data, services, language, ...work }) {
      const whose = whoseOf(work);
      const { runs, articles, cleanUp } = services;
      const deps = { ...articles, runs, cleanUp };
      // Decided elsewhere meanwhile: there is nothing left to cancel.
      await ifFound(() => attempted(() => cancelPost(deps, whose, data.runId)));
      const run = await ifFound(() => postOf(services.sql, whose, data.runId));
      const say = texts[language].posts;
      const told = data.after === "source" ? say.cross.skipped : say.review.cancelled;
      const notice = run ? told(receiptText(run, language)) : say.cancelled;
      const done: Partial<PostData> = { runId: "", after: "home" };
      if (data.after === "source") return { to: resultAddress(data.sourceRunId), notice, data: done };
      const way = ways[data.after];
      return { to: way.at(data), notice, data: { ...done, ...way.changes } };
    },
    failed: { to: review, text: both((t) => t.posts.review.cancelFailed) },
  };
}

function confirmText({ order }: PostData, language: "ru" | "en", isPipeline: boolean): string {
  const { posts, common } = texts[language];
  const say = posts.confirm;
  const { project, category, target, clusters, about, most, balance, isFree } = order;
  const held = isFree ? 0 : Math.min(most, balance);
  const problem =
    clusters === 0
      ? say.noPhrases
      : isTooDear(order)
        ? balance < 0
          ? say.debt(balance)
          : say.short(about, balance)
        : undefined;
  return [
    isPipeline ? posts.pipeline.steps.confirm : say.title(target),
    "",
    say.place(project, target),
    say.category(category),
    ...(clusters > 0 ? [say.clusters(clusters)] : []),
    isFree ? say.free(about) : say.cost(about),
    say.balance(common.tokens(balance)),
    ...(held > about && !problem ? [say.held(held)] : []),
    "",
    problem ?? say.ask,
  ].join("\n");
}

/** A post with what its owner should know before they decide. */
export function reviewText({ order, post, sourceRunId }: PostData, language: "ru" | "en"): string {
  const { posts } = texts[language];
  const say = posts.review;
  const isCross = sourceRunId !== "";
  return [
    isCross ? posts.cross.review(order.target) : say.title(order.target),
    "",
    shownText(post.text),
    ...(post.text.length > longestShown ? ["", say.long] : []),
    ...(post.warnings.length > 0 ? ["", say.attention, ...post.warnings.map((each) => `• ${each}`)] : []),
    "",
    ...(!isCross && post.freeLeft > 0 ? [say.freeLeft(post.freeLeft)] : []),
    say.question,
  ].join("\n");
}

export function wholeText(text: string, { language }: Pick<PostTurn, "language">) {
  const { fileName, fileCaption } = texts[language].posts.review;
  return { document: { bytes: new TextEncoder().encode(text) }, name: fileName, caption: fileCaption };
}

/** Why there is no post to decide on. */
async function lossOf(turn: PostTurn): Promise<Partial<PostData>> {
  const { language, data } = turn;
  const say = texts[language].posts;
  const run = await readPost(turn);
  const told = () => {
    if (run?.status === "cancelled") return endings.cancelled[language];
    if (run?.status !== "failed") return say.lost;
    const returned = returnedTokens(run);
    const first = returned > 0 ? say.over.notWritten(returned) : say.over.nothingCharged;
    // The usual failure is the first line itself.
    const why = (run.error?.message[language] ?? "").replace(failures.text_failed[language], "").trim();
    return why === "" ? first : `${first}\n${why}`;
  };
  return { trouble: { ...data.trouble, said: told() }, isShort: false };
}
