/** An article from its beginning to the site: in the pipeline, and from a site's menu. */
import type { Stored } from "../../../src/dialogs/flow/flow.ts";
import { noArticle } from "../../../src/seo/bot/articles/article-data.ts";
import { emptyPipeline } from "../../../src/seo/bot/articles/pipeline-data.ts";
import type { Examples, Given } from "../walk-given.ts";
import type { RunCopy } from "../walk-runs.ts";
import { names } from "../walk-world.ts";
import { wordpressExamples } from "./connections.ts";
import { choiceExamples, questionExamples, uploadExamples, waitExamples } from "./keywords.ts";
import { projectQuestionExamples } from "./projects.ts";
import { describingExamples, priceExamples } from "./texts.ts";

const both = { ru: "Не вышло", en: "It did not work" };
const confirmation = {
  ...{ project: names.project, site: "shop.test", category: names.category, clusters: 3, phrase: "brew tea" },
  ...{ images: 3, minutes: { from: 2, to: 4 }, about: 320, balance: 100_000, isFree: false, lacking: null },
};
const review = {
  ...{ previewId: 1, title: "Tea", words: 900, images: 3, headings: 5, phrase: "brew tea", score: 90 },
  ...{ warnings: [], url: "https://telegra.ph/tea", excerpt: "Tea", site: "shop.test", tokens: 320 },
  ...{ balance: 1_000, isFree: false, freeLeft: 2, again: 0, byHand: false },
};
const plan = {
  ...{ phrase: "brew tea", angle: "simple", titles: ["Tea"], readers: [], gaps: [], sources: [], needs: [] },
  ...{ own: [], warnings: [], from: 200, to: 400, question: { ru: "Сколько?", en: "How much?" } },
};
const trouble = { said: both, returned: 320, site: "shop.test" };
const servedBy = {
  said: both,
  url: "https://tea.example/1",
  others: ["how to brew tea 3", "how to brew tea 4"],
};

/** The states that both flows have. */
function sharedExamples(how: Given, flow: string, empty: Stored): Examples {
  const { taps, types, wakes, poor, run, noRun, world } = how;
  const { projectId, categoryId, siteId, gone, sql, whose } = world;
  const here = { ...empty, projectId, categoryId, connectionId: siteId, confirmation, review };
  const lost = { ...here, projectId: gone, categoryId: gone, connectionId: gone };
  const withRun =
    (copy: RunCopy, more: Stored = {}) =>
    async () => ({ runId: await run("article", { connectionId: siteId, ...copy }), ...more });
  const reviewed = (more: Stored = {}) => withRun({ status: "review", held: 320 }, more);
  const failed = withRun({ status: "failed", held: 320, result: null });
  const written = withRun({ status: "failed", held: 320, error: "publish_failed" });
  const planned = (copy: RunCopy) => async () => ({ planId: await run("plan", copy) });
  const address = `${world.site}/teapot`;
  /** A page of the site serves the phrase while it is tried. */
  const served = {
    ...taps(here, { phrase: names.servedPhrase }),
    before: async () =>
      void (await sql`
        insert into seo.publication_logs (workspace_id, user_id, project_id, category_id, platform_type, connection_id, keyword,
          post_url, content_type, status, created_at)
        values (${whose.workspaceId}, ${whose.userId}, ${projectId}, ${categoryId}, 'wordpress', ${siteId}, ${names.servedPhrase},
          ${address}, 'article', 'success', now() - interval '9 days')`),
    after: async () => void (await sql`delete from seo.publication_logs where post_url = ${address}`),
  };
  const page = { url: `${world.site}/tea/`, title: "Tea", delivery_id: null };
  const changes = { url: page.url, is_known: true, added: 1, removed: 1, words: { before: 9, after: 10 } };
  const updating = { ...review, update: changes };
  const waits = (withOthers: boolean) => [
    wakes("review", here, reviewed()),
    ...["done", "failed", "expired"].flatMap((outcome) => [
      wakes(outcome, here, failed),
      wakes(outcome, here, withRun({ status: "failed", error: "page_serves", result: null })),
      wakes(outcome, here, withRun({ status: "expired" })),
    ]),
    wakes("cancelled", here, withRun({ status: "running" })),
    ...(withOthers ? [wakes("cancelled", here, withRun({ status: "cancelled" }))] : []),
  ];
  const s = (name: string) => `${flow}.${name}`;
  return {
    [s("planning")]: [
      wakes("done", here, planned({ status: "done" })),
      ...["review", "failed", "expired"].map((each) => wakes(each, here, planned({ status: "failed" }))),
      wakes("cancelled", here, planned({ status: "running" })),
      wakes("cancelled", here, planned({ status: "cancelled" })),
    ],
    [s("plan")]: [
      taps(here, { plan }),
      types("84 kinds of tea", { ...here, plan }),
      types("84 kinds of tea", { ...here, plan: { ...plan, question: null } }),
    ],
    [s("confirm_cost")]: [
      ...[taps(here), taps(lost), taps(here, { needed: 1_000_000 })],
      taps({ ...here, categoryId: world.bareCategoryId, confirmation: { ...confirmation, lacking: both } }),
      taps({ ...here, categoryId: world.bareCategoryId }),
    ],
    [s("ordering")]: [...[taps(here), taps(lost), served, poor(taps(here))]],
    [s("page_serves")]: [taps(here, { served: servedBy })],
    [s("other_phrase")]: [taps(here, { served: servedBy })],
    [s("generating")]: waits(true),
    [s("generation_failed")]: [taps(here, { trouble })],
    [s("preview")]: [
      ...[taps(here, reviewed()), taps(here, reviewed({ review: { ...review, site: null } }))],
      taps(here, reviewed({ review: { ...review, freeLeft: 0, again: 320 } })),
      taps(here, withRun({ status: "review", held: 320, input: { update: page } }, { review: updating })),
      taps(here, reviewed({ review: { ...review, warnings: [{ code: "phrases", message: both }] } })),
      ...[taps(here, withRun({ status: "expired" })), taps(here, withRun({ status: "publishing" }))],
      ...[taps(here, withRun({ status: "running" })), taps(here, written), taps(here, { runId: noRun })],
      // Written anew too often to be free, and too dear.
      poor(taps(here, withRun({ status: "review", held: 320, result: { regenerations: 9 } }, { review }))),
      poor(
        taps(
          here,
          withRun(
            { status: "review", held: 320, result: { regenerations: 9 } },
            { review: { ...review, freeLeft: 0, again: 320 } },
          ),
        ),
      ),
      ...["running", "expired"].flatMap((status) =>
        [2, 0].map((freeLeft) =>
          taps(
            here,
            withRun({ status: status as RunCopy["status"] }, { review: { ...review, freeLeft, again: 320 } }),
          ),
        ),
      ),
    ],
    [s("expired")]: [taps(here, { trouble }), taps(here)],
    [s("regenerating")]: waits(true),
    [s("regeneration_short")]: [taps(here, reviewed({ trouble }))],
    [s("cancelling")]: [taps(here, reviewed()), taps(here, withRun({ status: "publishing" }))],
    [s("taking")]: [taps(here, reviewed()), taps(here, withRun({ status: "publishing" }))],
    [s("publishing_begins")]: [
      ...[taps(here, reviewed()), taps(here, { runId: noRun }), taps(here, withRun({ status: "expired" }))],
      poor(taps(here, written)),
    ],
    [s("publishing")]: [
      wakes("done", here, withRun({ status: "done" })),
      wakes("done", here, { runId: noRun }),
      ...["review", "failed", "cancelled", "expired"].map((each) => wakes(each, here, written)),
    ],
    [s("publishing_failed")]: [
      ...[taps(here, written), taps(here, reviewed()), taps(here, { runId: noRun })],
      taps(here, written),
      taps({ ...here, needed: 1 }, written),
    ],
    [s("select_site")]: [taps({ ...here, sites: [{ id: world.secondSiteId, name: "second" }] }, reviewed())],
  };
}

export function articleExamples(how: Given): Examples {
  const { taps, types, world, run } = how;
  const { projectId, bareProjectId, categoryId, bareCategoryId, siteId, gone, sql, whose } = world;
  const s = (name: string) => `ArticlePipeline.${name}`;
  const here = { projectId, categoryId, connectionId: siteId, place: names.project };
  const lost = { ...here, projectId: gone, categoryId: gone };
  const bare = { ...here, projectId: bareProjectId, categoryId: bareCategoryId };
  const many = Array.from({ length: 12 }, (_, id) => ({ id: id === 0 ? projectId : id, name: `Tea ${id}` }));
  const last = {
    ...{ projectId, connectionId: siteId, categoryId, project: names.project, site: "shop", category: "Tea" },
  };
  const reviewed = async () => ({ runId: await run("article", { status: "review", held: 320 }) });
  const readiness = {
    ...{ lacking: null, phrases: 3, hasDescription: true, prices: 3, images: 3, imagesCost: 90 },
    ...{ about: 320, balance: 1_000, isFree: false, publications: 0 },
  };
  const lacking = { ...readiness, lacking: both, hasDescription: false, prices: 0, publications: 3 };
  const nobody = async () => {
    await sql`delete from seo.publication_logs where workspace_id = ${whose.workspaceId} and user_id = ${whose.userId}`;
    return here;
  };
  const small = (more: Stored) => async () => ({ ...here, projectId: await world.smallProject(), ...more });
  return {
    ...sharedExamples(how, "ArticlePublish", noArticle),
    ...sharedExamples(how, "ArticlePipeline", emptyPipeline),
    ...projectQuestionExamples(how, {
      ...{ name: s("create_project_name"), company: s("create_project_company") },
      ...{ spec: s("create_project_spec"), url: s("create_project_url") },
    }),
    [s("repeat")]: [taps(nobody, { last })],
    [s("select_project")]: [
      ...[taps({ choices: many }), taps({ choices: many, isChoosing: true })],
      { ...taps({}), ...world.alone("one") },
      { ...taps({}), ...world.alone("none") },
    ],
    [s("select_wp")]: [
      ...[taps(here, { choices: many }), taps(here, async () => ({ choices: many, ...(await reviewed()) }))],
      taps({ ...here, categoryId: 0 }, { choices: many }),
      ...[taps(small({})), taps(small({}), reviewed), taps(small({ categoryId: 0 }))],
    ],
    [s("select_category")]: [
      ...[taps(here, { choices: many, isChoosing: true }), taps(here, { choices: many })],
      ...[taps(bare), taps(here, { categoryId: 0 }), taps(small({ categoryId: 0 }))],
    ],
    [s("create_category_name")]: [types(names.category, here), types(names.category, lost), types("T", here)],
    ...wordpressExamples(
      how,
      {
        ...{ url: s("connect_wp_url"), probing: s("connect_wp_probing"), login: s("connect_wp_login") },
        ...{ password: s("connect_wp_password"), checking: s("connect_wp_checking") },
        ...{ elsewhere: s("connect_wp_elsewhere"), failed: s("connect_wp_failed") },
      },
      here,
      reviewed,
    ),
    [s("readiness_check")]: [
      ...[taps(here, { readiness, isChecking: true }), taps(here), taps(lost)],
      taps(here, { readiness: lacking }),
      taps({ ...here, categoryId: bareCategoryId }, { readiness }),
    ],
    [s("configure_images")]: [taps(here, { readiness })],
    [s("images_count")]: [taps(here), taps(lost)],
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
    ...priceExamples(how, { text: s("readiness_prices_text"), file: s("readiness_prices_file") }, here, lost),
  };
}
