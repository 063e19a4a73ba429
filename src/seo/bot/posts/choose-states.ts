/** Steps 1 to 3 of the pipeline: the project, the place, the topic. One is taken without a question, none is created on the way. */
import type { AskState, Button, StepResult } from "../../../dialogs/index.ts";
import { connectionPage } from "../../connections/connections.ts";
import type { SeoConnection } from "../../connections/shape.ts";
import { goneHome } from "../categories/gone.ts";
import { connectPinterest } from "../connections/connect-pinterest.ts";
import { connectTelegram } from "../connections/connect-telegram.ts";
import { connectVk } from "../connections/connect-vk.ts";
import type { ConnectWork } from "../connections/connecting.ts";
import { mostChoices } from "../pipeline/choices.ts";
import {
  listed,
  chooseStates as projectAndTopic,
  type ChooseName as SharedName,
  taken,
} from "../pipeline/choose-states.ts";
import type { Choice } from "../pipeline/prepared-data.ts";
import { type BotServices, type BotVisit, inStep, whoseOf } from "../services.ts";
import { both, type Texts, texts } from "../texts/index.ts";
import { ifFound } from "../told.ts";
import type { PipelineData } from "./pipeline-data.ts";
import { isPostPlatform, placeName } from "./post-data.ts";

export type ChooseName =
  | SharedName
  | ConnectName
  | "select_connection"
  // States of the steps after these.
  | "readiness_check"
  | "review"
  | "confirm_cost"
  | "cross_post_ordering";

type ConnectName =
  | "connect_tg_channel"
  | "connect_tg_token"
  | "connect_tg_verify"
  | "connect_tg_elsewhere"
  | "connect_tg_failed"
  | "connect_vk_token"
  | "connect_vk_listing"
  | "connect_vk_group"
  | "connect_vk_connecting"
  | "connect_vk_elsewhere"
  | "connect_vk_failed"
  | "connect_pinterest_opening"
  | "connect_pinterest_oauth"
  | "connect_pinterest_listing"
  | "connect_pinterest_board"
  | "connect_pinterest_connecting"
  | "connect_pinterest_elsewhere"
  | "connect_pinterest_failed";

type Asked = AskState<PipelineData, ChooseName, BotServices>;
type Pressable = Button<PipelineData, ChooseName, BotServices>;
type Result = StepResult<PipelineData, ChooseName>;

const shared = projectAndTopic<"select_connection", "cross_post_ordering">({
  words: ({ posts: { pipeline: say } }) => ({
    ...{ project: `${say.steps.project}\n\n${say.whichProject}`, newProject: say.newProject },
    ...{ category: `${say.steps.category}\n\n${say.whichCategory}`, newCategory: say.newCategory },
    ...{ nameCategory: `${say.steps.category}\n\n${say.nameCategory}`, otherProject: say.otherProject },
  }),
  firstProject: (t) => t.posts.pipeline.firstProject,
  projectCreated: (t, name) => t.posts.pipeline.projectCreated(name),
  ...{ place: "select_connection", afterProject: "select_project" },
  beyond: { to: "cross_post_ordering", when: ({ sourceRunId }: PipelineData) => sourceRunId !== "" },
  anew: { project: { connectionId: 0 }, category: {} },
});

const connectButton = (platform: "telegram" | "vk" | "pinterest", to: ChooseName): Pressable => ({
  label: both((t) => t.posts.pipeline.connect[platform]),
  when: ({ choices, isChoosing }) => choices.length === 0 || isChoosing,
  to,
  press: () => ({ data: { isReconnecting: false } }),
});

/** After the place comes the topic, unless it is known: a post that goes elsewhere keeps its own. */
const afterPlace = ({ categoryId }: Pick<PipelineData, "categoryId">) =>
  categoryId === 0 ? ("select_category" as const) : ("readiness_check" as const);

const select_connection: Asked = {
  ask: ({ choices }, language) => {
    const { steps, whichConnection, noConnection } = texts[language].posts.pipeline;
    return `${steps.connection}\n\n${choices.length === 0 ? noConnection : whichConnection}`;
  },
  prepare: {
    to: ["select_category", "readiness_check", "screen:dashboard"],
    async take(turn) {
      const connections = await placesOf(turn, turn.data.projectId);
      if (!connections) return goneHome(turn);
      const connection = taken(turn, connections);
      return connection
        ? { to: afterPlace(turn.data), data: { connectionId: connection.id } }
        : { data: { choices: connections } };
    },
  },
  buttons: {
    ...listed<PipelineData, ChooseName>({
      to: ["select_category", "readiness_check"],
      chosen: ({ data }, { id }) => ({ to: afterPlace(data), data: { connectionId: id } }),
    }),
    telegram: connectButton("telegram", "connect_tg_channel"),
    vk: connectButton("vk", "connect_vk_token"),
    pinterest: connectButton("pinterest", "connect_pinterest_opening"),
  },
};

const connecting = {
  projectId: ({ projectId }: PipelineData) => projectId,
  connectionId: ({ isReconnecting, connectionId }: PipelineData) =>
    isReconnecting ? connectionId : undefined,
  to: ["select_category", "readiness_check", "review", "confirm_cost"] as const,
  beside: {
    other: {
      label: both((t) => t.posts.trouble.other),
      to: "select_connection",
      when: ({ isReconnecting }) => !isReconnecting,
      press: () => ({ data: { isChoosing: true } }),
    },
  } satisfies Record<string, Pressable>,
};

/** On with the place that is connected, or with the post that waits for it. */
const goOn =
  (words: (t: Texts) => (place: string) => string) =>
  ({ data, language }: ConnectWork<PipelineData>, { id, title, identifier }: SeoConnection): Result => ({
    to: !data.isReconnecting ? afterPlace(data) : data.runId === "" ? "confirm_cost" : "review",
    data: { connectionId: id, isChoosing: false, isReconnecting: false },
    notice: words(texts[language])(title ?? identifier),
  });

const telegram = connectTelegram<PipelineData, ChooseName>({
  ...connecting,
  connected: goOn((t) => t.connections.telegram.connected),
  names: {
    ...{ channel: "connect_tg_channel", token: "connect_tg_token", checking: "connect_tg_verify" },
    ...{ elsewhere: "connect_tg_elsewhere", failed: "connect_tg_failed" },
  },
});
const vk = connectVk<PipelineData, ChooseName>({
  ...connecting,
  connected: goOn((t) => t.connections.vk.connected),
  names: {
    ...{ token: "connect_vk_token", listing: "connect_vk_listing", select_group: "connect_vk_group" },
    ...{
      connecting: "connect_vk_connecting",
      elsewhere: "connect_vk_elsewhere",
      failed: "connect_vk_failed",
    },
  },
});
const pinterest = connectPinterest<PipelineData, ChooseName>({
  ...connecting,
  connected: goOn((t) => t.connections.pinterest.connected),
  names: {
    ...{ opening: "connect_pinterest_opening", oauth_callback: "connect_pinterest_oauth" },
    ...{ listing: "connect_pinterest_listing", select_board: "connect_pinterest_board" },
    ...{ connecting: "connect_pinterest_connecting", elsewhere: "connect_pinterest_elsewhere" },
    failed: "connect_pinterest_failed",
  },
});

export const chooseStates = {
  ...{ ...shared, select_connection },
  connect_tg_channel: telegram.channel,
  connect_tg_token: telegram.token,
  connect_tg_verify: telegram.checking,
  connect_tg_elsewhere: telegram.elsewhere,
  connect_tg_failed: telegram.failed,
  connect_vk_token: vk.token,
  connect_vk_listing: vk.listing,
  connect_vk_group: vk.select_group,
  connect_vk_connecting: vk.connecting,
  connect_vk_elsewhere: vk.elsewhere,
  connect_vk_failed: vk.failed,
  connect_pinterest_opening: pinterest.opening,
  connect_pinterest_oauth: pinterest.oauth_callback,
  connect_pinterest_listing: pinterest.listing,
  connect_pinterest_board: pinterest.select_board,
  connect_pinterest_connecting: pinterest.connecting,
  connect_pinterest_elsewhere: pinterest.elsewhere,
  connect_pinterest_failed: pinterest.failed,
} as const;

/** Channels, groups and boards that take posts; undefined if the project is gone. */
function placesOf(visit: BotVisit, projectId: number): Promise<Choice[] | undefined> {
  return ifFound(async () => {
    const page = { limit: mostChoices };
    const { items } = await connectionPage(inStep(visit).sql, whoseOf(visit), projectId, page);
    return items
      .filter(({ platform_type, status }) => isPostPlatform(platform_type) && status !== "disconnected")
      .map((each) => ({ id: each.id, name: placeName(each) }));
  });
}
