/** From [Publish] to the end of the delivery, and what a person can do when the network refuses. */
import type { AskState, Language, StepResult, WaitState, WorkState } from "../../../dialogs/index.ts";
import { projectMarking } from "../../adverts/index.ts";
import { checkConnection, readConnection } from "../../connections/connections.ts";
import type { ConnectionCheck } from "../../connections/shape.ts";
import { postOf, publishPost } from "../../posts/decide-post.ts";
import type { PostDetail, PostPlatform } from "../../posts/shape.ts";
import { platformNames } from "../../settings/platform-names.ts";
import { waitForRun } from "../runs/wait-for-run.ts";
import { type BotServices, inStep, whoseOf } from "../services.ts";
import { both, texts } from "../texts/index.ts";
import { attempted, ifFound, saidOf } from "../told.ts";
import { type PostData, type PostTurn, readPost } from "./post-data.ts";
import { resultAddress, resultPath, type Ways, wholeText } from "./write-states.ts";

type Trouble = PostData["trouble"];

interface HandingOver<Name extends string> {
  /** The state that waits for the delivery, and those for what may go wrong. */
  readonly publishing: Name;
  readonly trouble: Name;
  readonly review: Name;
}

/** Asks the network whether it would take the post, then enqueues it. What is refused here costs nothing: the post stays. */
export function handOver<Name extends string>({
  publishing,
  trouble,
  review,
}: HandingOver<Name>): WorkState<PostData, Name, BotServices> {
  return {
    ask: both((t) => t.posts.publishing.handing),
    again: both((t) => t.posts.publishing.again),
    to: [publishing, trouble, review],
    async work({ data, services, language, ...work }) {
      const whose = whoseOf(work);
      const { sql, runs, articles, cleanUp } = services;
      const say = texts[language].posts.trouble;
      const isBegun = async () => {
        const run = await ifFound(() => postOf(sql, whose, data.runId));
        return run?.status === "publishing" || run?.status === "done" || run?.status === "failed";
      };
      // A repeated work finds what the first one did.
      if (await isBegun()) return { to: publishing };
      const checked = await ifFound(() => checkConnection(services, whose, data.connectionId));
      if (!checked) return refused({ said: say.gone, isRefused: false, waits: false });
      if (!checked.ok) return refused(troubleOf(data.order.platform, checked, language));
      const marking = data.kind === "advert" ? await projectMarking(sql, whose, data.projectId) : undefined;
      const published = await attempted(() =>
        publishPost({ ...articles, runs, cleanUp }, whose, data.runId, marking),
      );
      if (published.ok || (await isBegun())) return { to: publishing };
      if (published.problem.code === "text_not_reviewed") return { to: review };
      return refused({ said: saidOf(published.problem, language), isRefused: false, waits: false });

      function refused(given: Omit<Trouble, "isLost">): StepResult<PostData, Name> {
        return { to: trouble, data: { trouble: { ...given, isLost: false } } };
      }
    },
    failed: { to: review, text: both((t) => t.posts.publishing.handFailed) },
  };
}

/** What people are told of a finding, in the document's words where it has some. */
function troubleOf(platform: PostPlatform, { finding, ...said }: ConnectionCheck, language: Language) {
  const say = texts[language].posts.trouble;
  const why = said[language];
  return {
    said: `${platform === "vk" ? say.vk(why) : why}\n${say.stays}`,
    isRefused: ["token_refused", "disconnected", "account_restricted", "may_not_post"].includes(finding),
    waits: platform === "pinterest" && finding === "unreachable",
  };
}

interface Publishing<Name extends string> {
  /** The post that is done: where its person finds it. */
  done(turn: PostTurn, run: PostDetail): StepResult<PostData, Name>;
  readonly trouble: Name;
}

export function publishingState<Name extends string>({
  done,
  trouble,
}: Publishing<Name>): WaitState<PostData, Name, BotServices> {
  const waits = waitForRun<PostData, Name>({
    ask: both((t) => t.posts.publishing.ask),
    runId: ({ runId }) => runId,
    cancellable: false,
    outcomes: {
      done: {
        to: [resultPath, "screen:dashboard"],
        async take(turn) {
          const run = await readPost(turn);
          return run ? done(turn, run) : { to: "screen:dashboard" };
        },
      },
      failed: {
        to: trouble,
        take: async (turn) => ({ data: { trouble: await failureOf(turn), runId: "" } }),
      },
    },
  });
  return { ...waits, again: both((t) => t.posts.publishing.again) };
}

export const publishedAt = <Name extends string>(runId: string): StepResult<PostData, Name> => ({
  to: resultAddress(runId),
});

/** Why the network did not take it. Its tokens are back already. */
async function failureOf(turn: PostTurn): Promise<Trouble> {
  const { language, data } = turn;
  const say = texts[language].posts;
  const run = await readPost(turn);
  const connection = await ifFound(() => readConnection(inStep(turn).sql, whoseOf(turn), data.connectionId));
  const said = run?.error?.message[language] ?? say.lost;
  const isLimited = limits.test(`${run?.error?.code} ${run?.error?.message.en}`);
  const waits = data.order.platform === "pinterest" && isLimited;
  return {
    said: waits ? `${say.trouble.pinterestLimit}\n${said}` : said,
    ...{ isRefused: connection?.status === "error", waits, isLost: true },
  };
}

/** The network took nothing because too much was asked of it. */
const limits = /rate_limit|\b429\b|too many requests|rate limit/i;

interface TroubleState<Name extends string> {
  readonly ways: Pick<Ways<Name>, "other" | "reconnect">;
  /** To publish the same post again; to have another written if it is lost. */
  readonly handing: Name;
  readonly again: Name;
  readonly cancelling: Name;
}

/** The network refuses: the post waits here, or its tokens are back. */
export function troubleState<Name extends string>({
  ways,
  handing,
  again,
  cancelling,
}: TroubleState<Name>): AskState<PostData, Name, BotServices> {
  const leaving = (after: "other" | "reconnect") => {
    const way = ways[after];
    return {
      to: way.keepsPost ? way.to : ([cancelling, ...way.to] as const),
      press: ({ data }: PostTurn): StepResult<PostData, Name> =>
        data.trouble.isLost || way.keepsPost
          ? { to: way.at(data), ...(way.changes && { data: way.changes }) }
          : { to: cancelling, data: { after } },
    };
  };
  return {
    ask: ({ trouble }) => trouble.said,
    noBack: true,
    buttons: {
      again: againButton({ handing, again }),
      reconnect: {
        label: ({ order }, language) =>
          texts[language].posts.trouble.reconnect(platformNames[order.platform]),
        when: ({ trouble }) => trouble.isRefused,
        ...leaving("reconnect"),
      },
      other: {
        label: ({ order }, language) => {
          const say = texts[language].posts.trouble;
          return order.platform === "telegram" ? say.otherChannel : say.other;
        },
        ...leaving("other"),
      },
      keep: {
        label: both((t) => t.posts.trouble.keep),
        when: ({ post, trouble }) => post.text !== "" && trouble.isLost,
        to: "@stay",
        press: (turn) => ({
          say: [wholeText(turn.data.post.text, turn)],
          notice: texts[turn.language].posts.trouble.kept,
        }),
      },
    },
  };
}

/** Publishes the same post again, or has another one written if it is lost. */
export function againButton<Name extends string>({
  handing,
  again,
}: {
  readonly handing: Name;
  readonly again: Name;
}) {
  return {
    label: ({ trouble, order }: PostData, language: Language) => {
      const say = texts[language].posts.trouble;
      if (trouble.waits) return say.in15;
      return order.platform === "telegram" && !trouble.isLost ? say.checkAgain : say.again;
    },
    style: "primary",
    to: [handing, again],
    press: ({ data }: PostTurn) => ({ to: data.trouble.isLost ? again : handing }),
  } as const;
}
