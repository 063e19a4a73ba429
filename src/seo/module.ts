import { createTelegramBot, ownWebhookRoutes, telegramBots } from "../dialogs/index.ts";
import { every } from "../kernel/jobs/index.ts";
import type { Module } from "../module/index.ts";
import { readMapsAgain } from "./audits/read-maps-again.ts";
import { officeOf } from "./bot/admin/office.ts";
import { tellOfFalls } from "./bot/analysis/tell-of-falls.ts";
import { botFlows, botScreens, seoBot } from "./bot/bot.ts";
import { botHouse, webhookPath } from "./bot/bot-house.ts";
import { botServices } from "./bot/bot-services.ts";
import { botTokenService } from "./bot/bot-token.ts";
import { sellingOf } from "./bot/money/selling.ts";
import type { NoticeKind } from "./broadcasts/broadcasts.ts";
import { recoverBroadcasts } from "./broadcasts/send-broadcast.ts";
import { addSeo } from "./commands/seo.ts";
import { seedBusiness } from "./demo/seed-business.ts";
import { seedSeoBot } from "./demo/seed-seo-bot.ts";
import { seoSettings } from "./environment.ts";
import { houseRoutes } from "./house-routes.ts";
import { noteNotNeeded } from "./note-not-needed.ts";
import { notify } from "./notices/notify.ts";
import {
  archiveDepsOf,
  driverOf,
  learnDeps,
  learnTaskOf,
  rankDepsOf,
  scheduleServices,
  seoParts,
  workshopOf,
} from "./parts.ts";
import { expirePosts } from "./posts/expire-posts.ts";
import { notePromptQualities } from "./prompts/note-quality.ts";
import { purgePublications } from "./publications/purge-publications.ts";
import { expireArticles, forgetPictures } from "./publish/expire-articles.ts";
import { checkRanks } from "./ranks/check-ranks.ts";
import { archiveSearch } from "./refresh/archive-search.ts";
import { seoRoutes } from "./routes.ts";
import { plannedSlots } from "./schedules/planned-slots.ts";
import { purgeAutopublications } from "./schedules/purge-autopublications.ts";
import { sealedSeo } from "./sealed-seo.ts";
import { sourceSettings } from "./sources/environment.ts";
import { expireTexts } from "./texts/expire-texts.ts";

export const seo: Module = {
  name: "seo",
  sealed: sealedSeo,
  files: [
    {
      name: "pictures of drafts",
      query: `select 'seo/' || workspace_id || '/' || (image ->> 'storage_path')
        from seo.article_previews, jsonb_array_elements(images) image where status = 'draft'`,
    },
  ],
  settings: [seoSettings, sourceSettings],
  commands: [addSeo],
  flows: botFlows,
  screens: botScreens,
  planned: plannedSlots,
  wire(core) {
    const workshop = workshopOf(core);
    const { runs, articles, cleanUp, publishedTask, updateTask } = workshop;
    const { till, sold } = sellingOf(core);
    const office = officeOf(core);
    const { broadcasts } = office;
    const parts = { ...seoParts(core), ...workshop, office };
    const { webhook, timing, token } = botHouse(core);
    const telegram = telegramBots(core);
    /** A start within a few hours still sends it: no period is written to twice. */
    const noticeAt = (schedule: string, kind: NoticeKind) => ({
      ...every(schedule, `seo.notify_${kind}`, () => notify({ ...core, broadcasts }, kind)),
      backfillMs: 4 * 3_600_000,
    });
    const house = { till, timing, ...(webhook && { webhook }) };
    const bot = createTelegramBot(seoBot(botServices(core), house), telegram);
    return {
      routes: [seoRoutes(parts), ownWebhookRoutes(webhookPath, bot, webhook, telegram), ...houseRoutes(core)],
      bots: [bot],
      services: {
        bots: () => (token === undefined ? [] : [botTokenService(core, token)]),
        always: () => [noteNotNeeded(core)],
        jobs: () => scheduleServices(core),
      },
      tasks: [runs.task, publishedTask, updateTask, learnTaskOf(core), sold, broadcasts],
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
        every("* * * * *", "seo.recover_broadcasts", () => recoverBroadcasts(core, broadcasts)),
        every("37 3 * * *", "seo.forget_remote_schedules", async () => {
          await driverOf(core).forgetOrphans?.();
        }),
        // Moscow is three hours ahead of UTC all year round.
        noticeAt("0 7 * * *", "low_balance"),
        noticeAt("0 6 * * 1", "weekly_digest"),
        noticeAt("0 8 * * 3", "reactivation"),
        every("11 2 * * *", "seo.note_prompt_quality", () => notePromptQualities(core)),
        every("29 2 * * *", "seo.purge_publications", () => purgePublications(core)),
        every("37 2 * * *", "seo.purge_autopublications", () => purgeAutopublications(core)),
        // Before people of Moscow get up; whoever's articles lose readers is told in the morning.
        {
          ...every("23 1 * * *", "seo.archive_search", () => archiveSearch(archiveDepsOf(core))),
          backfillMs: 12 * 3_600_000,
        },
        every("3 7 * * *", "seo.tell_of_falls", () => tellOfFalls(core)),
        // Each article is looked at once a week; the nights share them.
        {
          ...every("13 4 * * *", "seo.check_ranks", () => checkRanks(rankDepsOf(core))),
          backfillMs: 12 * 3_600_000,
        },
        {
          ...every("41 1 1,15 * *", "seo.read_maps_again", () => readMapsAgain(learnDeps(core))),
          backfillMs: 24 * 3_600_000,
        },
      ],
      async seed(roles, begins) {
        // Without jobs nobody would write its article.
        if (core.twinsUrl && begins === "work" && roles.includes("jobs"))
          await seedBusiness(parts, core.twinsUrl);
        await seedSeoBot(core);
        return [];
      },
    };
  },
};
