/** Writes and publishes an article from the menu of a connected site. */
import { inactivity, keepHours } from "../limits.ts";
import { refilled } from "../pipeline/top-up.ts";
import { flow } from "../services.ts";
import { both, texts } from "../texts/index.ts";
import { articleData, noArticle } from "./article-data.ts";
import { articleStates } from "./article-states.ts";
import { isShort } from "./confirmation.ts";
import { expiry } from "./expiry.ts";
import { giveUpRun } from "./give-up-run.ts";

export const publishArticleFlow = flow({
  name: "ArticlePublish",
  title: both((t) => t.articles.publish.title),
  data: articleData,
  empty: noArticle,
  first: "confirm_cost",
  rivals: "replace",
  inactivity,
  keep: {
    hours: keepHours,
    when: (data, state, why) =>
      state !== "expired" && (data.runId !== "" || (why === "replaced" && isShort(data))),
    summary: ({ confirmation, review }, _, language) =>
      texts[language].articles.publish.kept(confirmation?.category ?? "", review?.title ?? ""),
    ended: both((t) => t.articles.pipeline.ended),
  },
  leave: giveUpRun,
  events: { ...refilled({ needed: 0 }), ...expiry },
  states: articleStates({
    headers: {
      confirm: both((t) => t.articles.publish.header),
      generating: both((t) => t.articles.publish.generating),
      preview: both((t) => t.articles.publish.preview),
      publishing: both((t) => t.articles.publish.publishing),
    },
    create: both((t) => t.articles.confirm.yes),
    retry: both((t) => t.articles.generationFailed.again),
    failure: () => both((t) => t.articles.publish.failed),
    phrases: {
      label: both((t) => t.articles.confirm.findPhrases),
      to: "screen:category:{id}:keywords:find",
      press: ({ data }) => ({ to: `screen:category:${data.categoryId}:keywords:find` }),
    },
    otherTheme: {
      label: both((t) => t.common.toCategories),
      to: "screen:project:{id}:categories",
      press: ({ data }) => ({ to: `screen:project:${data.projectId}:categories` }),
    },
    home: "screen:category:{id}:card",
    homeOf: ({ categoryId }) => `screen:category:${categoryId}:card`,
  }),
});
