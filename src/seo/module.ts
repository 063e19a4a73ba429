import { every } from "../kernel/jobs/index.ts";
import type { Module } from "../module/index.ts";
import { addSeo } from "./commands/seo.ts";
import { seedBusiness } from "./demo/seed-business.ts";
import { seoSettings } from "./environment.ts";
import { learnTaskOf, seoParts, workshopOf } from "./parts.ts";
import { expirePosts } from "./posts/expire-posts.ts";
import { notePromptQualities } from "./prompts/note-quality.ts";
import { purgePublications } from "./publications/purge-publications.ts";
import { expireArticles, forgetPictures } from "./publish/expire-articles.ts";
import { seoRoutes } from "./routes.ts";
import { sourceSettings } from "./sources/environment.ts";
import { expireTexts } from "./texts/expire-texts.ts";

export const seo: Module = {
  name: "seo",
  settings: [seoSettings, sourceSettings],
  commands: [addSeo],
  wire(core) {
    const workshop = workshopOf(core);
    const { runs, articles, cleanUp, publishedTask, updateTask } = workshop;
    return {
      routes: [seoRoutes({ ...seoParts(core), ...workshop })],
      tasks: [runs.task, publishedTask, updateTask, learnTaskOf(core)],
      cron: [
        every("* * * * *", "seo.recover_runs", async () => {
          await runs.recover();
        }),
        every("17 * * * *", "seo.expire_texts", async () => {
          await expireTexts({ ...core, runs });
        }),
        every("* * * * *", "seo.expire_articles", async () => {
          await expireArticles({ ...articles, runs, cleanUp });
        }),
        every("* * * * *", "seo.expire_posts", async () => {
          await expirePosts({ ...articles, runs, cleanUp });
        }),
        every("17 * * * *", "seo.forget_pictures", async () => {
          await forgetPictures(articles);
        }),
        every("11 2 * * *", "seo.note_prompt_quality", () => notePromptQualities(core)),
        every("29 2 * * *", "seo.purge_publications", () => purgePublications(core)),
      ],
      async seed(roles, begins) {
        // Without jobs nobody would write its article.
        if (core.twinsUrl && begins === "work" && roles.includes("jobs"))
          await seedBusiness({ ...seoParts(core), ...workshop }, core.twinsUrl);
        return [];
      },
    };
  },
};
