/** A post from its beginning to the network: in the pipeline, and from a network's menu; and its adaptation for another. */
import type { Stored } from "../../../src/dialogs/flow/flow.ts";
import { noPipeline } from "../../../src/seo/bot/posts/pipeline-data.ts";
import { noPost } from "../../../src/seo/bot/posts/post-data.ts";
import type { Examples, Given } from "../walk-given.ts";
import type { RunCopy } from "../walk-runs.ts";
import { names } from "../walk-world.ts";
import { pinterestExamples, type Reconnecting, telegramExamples, vkExamples } from "./connections.ts";
import { choiceExamples, questionExamples, uploadExamples, waitExamples } from "./keywords.ts";
import { projectQuestionExamples } from "./projects.ts";
import { describingExamples } from "./texts.ts";

const order = {
  ...{ project: names.project, category: names.category, target: "Telegram: @tea", platform: "telegram" },
  ...{ clusters: 3, about: 40, most: 60, balance: 1_000, isFree: false },
};
const post = {
  text: "Brew tea at 95 degrees.",
  picture: null,
  warnings: [],
  wantsPhrases: false,
  freeLeft: 2,
  again: 0,
};
const advert = { ...post, text: "Oolong, 50 g: 700 руб." };
const trouble = { said: "It did not work", isRefused: false, waits: false, isLost: false };
const platforms = ["telegram", "vk", "pinterest"] as const;

/** The states that both flows have. */
function sharedExamples(how: Given, flow: string, empty: Stored): Examples {
  const { taps, types, wakes, poor, run, noRun, world } = how;
  const { projectId, categoryId, channelId, gone } = world;
  const here = { ...empty, projectId, categoryId, connectionId: channelId, order, post };
  const lost = { ...here, projectId: gone, categoryId: gone };
  const withRun =
    (copy: RunCopy, more: Stored = {}) =>
    async () => ({ runId: await run("post", { connectionId: channelId, ...copy }), ...more });
  const reviewed = (more: Stored = {}) => withRun({ status: "review", held: 40 }, more);
  const failed = withRun({ status: "failed", held: 40, result: null });
  const writing = [
    wakes("review", here, reviewed()),
    ...["done", "failed", "expired"].map((outcome) => wakes(outcome, here, failed)),
    wakes("cancelled", here, withRun({ status: "running" })),
    wakes("cancelled", here, withRun({ status: "cancelled" })),
  ];
  const marking = "ООО «Two Leaves», ИНН 7707083893, erid 2VtzqwXyz9";
  const s = (name: string) => `${flow}.${name}`;
  const published = () => run("post", { status: "done" });
  return {
    [s("confirm_cost")]: [
      ...[taps(here), taps(lost), taps(here, { order: { ...order, clusters: 0 } })],
      ...[taps(here, { order: { ...order, balance: 0 } }), poor(taps(here))],
    ],
    [s("generating")]: writing,
    [s("regenerating")]: writing,
    [s("review")]: [
      ...[
        taps(here, reviewed()),
        taps(here, reviewed({ post: advert })),
        taps(here, reviewed({ post: { ...post, wantsPhrases: true } })),
        taps(here, reviewed({ isShort: true })),
      ],
      ...(["running", "publishing", "done", "expired"] as const).map((status) =>
        taps(here, withRun({ status })),
      ),
    ],
    [s("over")]: [taps(here, { trouble })],
    [s("cancelling")]: [
      ...platforms.map((platform) =>
        taps(here, reviewed({ after: "reconnect", order: { ...order, platform } })),
      ),
      ...["home", "other", "topic"].map((after) => taps(here, reviewed({ after }))),
      taps(here, async () => ({ ...(await reviewed()()), after: "source", sourceRunId: await published() })),
    ],
    [s("advert_kind")]: [
      taps(here, reviewed()),
      taps(here, reviewed({ marking: "Реклама. ООО «Two Leaves»" })),
    ],
    [s("advert_details")]: [types(marking, here), types(marking, lost), types("nothing", here)],
    [s("handing_over")]: [
      taps(here, reviewed()),
      taps({ ...here, connectionId: gone }, reviewed()),
      taps(here, withRun({ status: "expired" })),
    ],
    [s("publishing")]: [
      wakes("done", here, withRun({ status: "done" })),
      wakes("done", here, { runId: noRun }),
      ...["review", "failed", "cancelled", "expired"].map((each) => wakes(each, here, failed)),
    ],
    [s("trouble")]: [
      taps(here, reviewed({ trouble: { ...trouble, isRefused: true } })),
      ...platforms.map((platform) =>
        taps(here, {
          trouble: { ...trouble, isRefused: true, isLost: true },
          order: { ...order, platform },
          runId: "",
        }),
      ),
    ],
  };
}

export function postExamples(how: Given): Examples {
  const { taps, types, world, run, wakes, noRun, poor } = how;
  const { projectId, bareProjectId, categoryId, bareCategoryId, channelId, vkId, gone } = world;
  const s = (name: string) => `SocialPipeline.${name}`;
  const here = { projectId, categoryId, connectionId: channelId };
  const lost = { ...here, projectId: gone, categoryId: gone };
  const many = Array.from({ length: 12 }, (_, id) => ({ id: id === 0 ? projectId : id, name: `Tea ${id}` }));
  const small = (more: Stored) => async () => ({ ...here, projectId: await world.smallProject(), ...more });
  const published = () => run("post", { status: "done" });
  const crossing =
    (more: Stored = {}) =>
    async () => ({
      ...{ ...here, connectionId: vkId, order: { ...order, platform: "vk", target: "VK: Tea" }, post },
      sourceRunId: await published(),
      ...more,
    });
  const withCross =
    (copy: RunCopy, more: Stored = {}) =>
    async () => ({
      runId: await run("crossPost", { connectionId: vkId, ...copy }),
      ...more,
    });
  const reconnecting: Reconnecting = (find) => {
    const again = async () => ({ ...here, connectionId: await find(), isReconnecting: true });
    const withPost = async () => ({
      ...(await again()),
      runId: await run("post", { status: "review", held: 40 }),
    });
    return [again, withPost];
  };
  const adapted = (more: Stored = {}) => withCross({ status: "review", held: 10 }, more);
  const failed = withCross({ status: "failed", held: 10, result: null });
  return {
    ...sharedExamples(how, "SocialPostPublish", noPost),
    ...sharedExamples(how, "SocialPipeline", noPipeline),
    ...projectQuestionExamples(how, {
      ...{ name: s("create_project_name"), company: s("create_project_company") },
      ...{ spec: s("create_project_spec"), url: s("create_project_url") },
    }),
    [s("select_project")]: [
      ...[taps({ choices: many }), taps(here), taps(crossing())],
      { ...taps({}), ...world.alone("none") },
    ],
    [s("select_connection")]: [
      ...[taps(here, { choices: many, isChoosing: true }), taps(here), taps(lost)],
      taps({ ...here, categoryId: 0 }, { choices: many }),
      ...[taps(small({})), taps(small({ categoryId: 0 }))],
      taps({ ...here, projectId: bareProjectId }, { choices: [] }),
    ],
    ...telegramExamples(
      how,
      {
        ...{
          channel: s("connect_tg_channel"),
          token: s("connect_tg_token"),
          checking: s("connect_tg_verify"),
        },
        ...{ elsewhere: s("connect_tg_elsewhere"), failed: s("connect_tg_failed") },
      },
      here,
      reconnecting,
    ),
    ...vkExamples(
      how,
      {
        ...{ token: s("connect_vk_token"), listing: s("connect_vk_listing"), select: s("connect_vk_group") },
        ...{ connecting: s("connect_vk_connecting"), elsewhere: s("connect_vk_elsewhere") },
        failed: s("connect_vk_failed"),
      },
      here,
      reconnecting,
    ),
    ...pinterestExamples(
      how,
      {
        ...{ opening: s("connect_pinterest_opening"), oauth: s("connect_pinterest_oauth") },
        ...{ listing: s("connect_pinterest_listing"), select: s("connect_pinterest_board") },
        ...{ connecting: s("connect_pinterest_connecting"), elsewhere: s("connect_pinterest_elsewhere") },
        failed: s("connect_pinterest_failed"),
      },
      here,
      reconnecting,
    ),
    [s("select_category")]: [
      ...[taps(here, { choices: many }), taps(here), taps({ ...here, projectId: bareProjectId })],
      taps(small({ categoryId: 0 })),
    ],
    [s("create_category_name")]: [types(names.category, here), types(names.category, lost), types("T", here)],
    [s("readiness_check")]: [
      taps(here, { order, isChecking: true }),
      taps(here, { order: { ...order, clusters: 0 } }),
      ...[taps(here), taps(lost)],
    ],
    ...choiceExamples(
      how,
      { city: s("readiness_keywords_city"), choose: s("readiness_keywords_choose") },
      here,
      lost,
    ),
    ...questionExamples(
      how,
      {
        ...{ products: s("readiness_keywords_products"), geography: s("readiness_keywords_geo") },
        ...{ quantity: s("readiness_keywords_qty"), confirm: s("readiness_keywords_confirm") },
      },
      here,
      lost,
    ),
    [s("readiness_keywords_generating")]: waitExamples(how, "keywords", { ...here, isChecking: true }),
    [s("readiness_keywords_upload")]: uploadExamples(how, here, lost),
    [s("readiness_keywords_enriching")]: waitExamples(how, "upload", { ...here, isChecking: true }),
    ...describingExamples(
      how,
      {
        ...{ ask: s("readiness_description"), writing: s("readiness_description_writing") },
        ...{ review: s("readiness_description_review"), manual: s("readiness_description_manual") },
      },
      here,
      lost,
    ),
    [s("cross_post_ordering")]: [
      ...[taps(crossing()), taps(crossing({ sourceRunId: noRun })), poor(taps(crossing()))],
    ],
    [s("cross_post_adapting")]: [
      wakes("review", crossing(), adapted()),
      ...["done", "failed", "expired"].map((outcome) => wakes(outcome, crossing(), failed)),
      wakes("cancelled", crossing(), withCross({ status: "running" })),
      wakes("cancelled", crossing(), withCross({ status: "cancelled" })),
    ],
    [s("cross_post_review")]: [
      taps(crossing(), adapted()),
      ...(["running", "publishing", "done", "expired"] as const).map((status) =>
        taps(crossing(), withCross({ status })),
      ),
    ],
    [s("cross_post_trouble")]: [
      ...[
        taps(crossing(), adapted({ trouble })),
        taps(crossing(), { trouble: { ...trouble, isLost: true } }),
      ],
      taps(crossing(), { trouble: { ...trouble, isLost: true }, isShort: true }),
    ],
    [s("cross_post_handing")]: [
      taps(crossing(), adapted()),
      taps(crossing({ connectionId: gone }), adapted()),
      taps(crossing(), withCross({ status: "expired" })),
    ],
    [s("cross_post_publishing")]: [
      wakes("done", crossing(), withCross({ status: "done" })),
      wakes("done", crossing(), { runId: noRun }),
      ...["review", "failed", "cancelled", "expired"].map((each) => wakes(each, crossing(), failed)),
    ],
    [s("cross_post_cancelling")]: [
      taps(crossing(), adapted({ after: "source" })),
      ...["home", "other", "topic", "reconnect"].map((after) => taps(crossing(), adapted({ after }))),
    ],
    [`${s("readiness_check")} bare`]: [taps({ ...here, categoryId: bareCategoryId })],
  };
}
