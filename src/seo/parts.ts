import { createLedger } from "../billing/index.ts";
import { deliveryParts } from "../delivery/index.ts";
import { settingsOf, stopTimesOf } from "../kernel/config/index.ts";
import { gatewayOf } from "../llm/index.ts";
import { createTelegraph } from "../telegraph/index.ts";
import { type Core, perCore } from "../workspaces/index.ts";
import type { ArticleDeps } from "./articles/article-deps.ts";
import { articleRun } from "./articles/article-run.ts";
import { createLearnTask, type LearnDeps, learnSite } from "./audits/learn-site.ts";
import { tellOfRun } from "./bot/runs/tell-of-run.ts";
import { tellNews } from "./bot/schedule/tell-news.ts";
import { tellOfRemoteFailure } from "./bot/schedule/tell-remote-failure.ts";
import { deleteMediaFiles } from "./categories/media-files.ts";
import { type ConnectDeps, disconnectChannels } from "./connections/connect.ts";
import { checkConnection } from "./connections/connections.ts";
import { seoSettings } from "./environment.ts";
import { keywordsRun } from "./keywords/keywords-run.ts";
import { loadLanguage } from "./language/index.ts";
import type { PeopleDeps } from "./people/people.ts";
import type { Whose } from "./people/whose.ts";
import { imagesRun } from "./pictures/images-run.ts";
import { crossPostRun } from "./posts/cross-post-run.ts";
import { postRun } from "./posts/post-run.ts";
import { refundDrafts } from "./previews/refund-drafts.ts";
import { createTokenKeeper } from "./previews/telegraph-token.ts";
import type { DeleteDeps } from "./projects/delete.ts";
import { createCleanUp } from "./publish/clean-up.ts";
import { createEndTask } from "./publish/publish-run.ts";
import { createUpdateTask } from "./publish/update-page.ts";
import { netAfterMs, qstashDriverOf } from "./qstash/index.ts";
import type { RankDeps } from "./ranks/check-ranks.ts";
import type { ArchiveDeps } from "./refresh/archive-search.ts";
import type { Rules } from "./rules.ts";
import { createRuns } from "./runs/create-runs.ts";
import { createArranger } from "./schedules/arranger.ts";
import { createAutopublisher } from "./schedules/autopublisher.ts";
import { cancelSchedules } from "./schedules/cancel-schedules.ts";
import type { ScheduleDriver } from "./schedules/driver.ts";
import { createOwnClock, createOwnDriver } from "./schedules/own-driver.ts";
import { followRuns } from "./schedules/settle-run.ts";
import { smallerKinds } from "./smaller-works.ts";
import { sourcesOf } from "./sources/index.ts";
import { styleRun } from "./styleguide/index.ts";
import type { WorkshopDeps } from "./workshop-deps.ts";

export interface SeoDeps extends ConnectDeps, PeopleDeps, DeleteDeps {
  /** The time zone of new projects. */
  readonly defaultZone?: string | undefined;
  /** What makes schedules fire. */
  readonly driver: ScheduleDriver;
}

/** The dependencies of SEO Master, created once per core. */
export const seoParts = perCore((core): SeoDeps => {
  const { messengers } = deliveryParts(core);
  const driver = driverOf(core);
  return {
    ...messengers,
    driver,
    vault: core.vault,
    admins: adminsOf(core),
    defaultZone: settingsOf(core, seoSettings).DEFAULT_TIMEZONE,
    afterConnect: async (whose, connection) => {
      await learnSite(learnDeps(core), whose, connection);
    },
    // Money first: what fails later has returned it at least. Whoever keeps something elsewhere adds a step here.
    beforeDelete: [
      refundDrafts(messengers),
      cancelSchedules(core.sql, driver),
      // The storage may be away: then the connections still work.
      deleteMediaFiles(core),
      disconnectChannels(messengers),
    ],
  };
});

/** QStash if its keys are set, else Molva itself. */
export const driverOf = perCore(
  (core): ScheduleDriver => qstashDriverOf(core, tellOfRemoteFailure(core)) ?? createOwnDriver(core),
);

/** What fires schedules and publishes what has fired. */
export const scheduleServices = perCore((core) => {
  const { sql, clock, log } = core;
  const { runs, kinds, sources } = workshopOf(core);
  const { messengers } = deliveryParts(core);
  const [driver, admins] = [driverOf(core), adminsOf(core)];
  const check = (whose: Whose, connectionId: number) => checkConnection(messengers, whose, connectionId);
  return [
    createAutopublisher({
      sql,
      clock,
      log,
      runs,
      kinds,
      sources,
      admins,
      check,
      tell: tellNews,
      stopTimes: stopTimesOf(core.config),
    }),
    createArranger({ sql, log, driver }),
    createOwnClock({ sql, clock, log, lateMs: driver.name === "qstash" ? netAfterMs : 0 }),
  ];
});

const workshopDeps = perCore((core): WorkshopDeps => {
  const { sql, clock } = core;
  const ledger = createLedger(sql, clock);
  return { sql, clock, ledger, gateway: gatewayOf(core), sources: sourcesOf(core) };
});

const articleDeps = perCore((core): ArticleDeps => {
  const { clock, http, keyValue, platforms, storage, telegraphApiRoot: apiRoot, vault } = core;
  const keeper = createTokenKeeper(keyValue, vault);
  const telegraph = createTelegraph({ apiRoot, http, clock, keeper, shortName: "SEO Master" });
  return {
    ...workshopDeps(core),
    platforms,
    storage,
    telegraph,
    language: loadLanguage,
    rules: rulesOf(core),
  };
});

const rulesOf = (core: Core): Rules => {
  const { MAX_REGENERATIONS_FREE, PREVIEW_TTL_SECONDS } = settingsOf(core, seoSettings);
  return { freeRegenerations: MAX_REGENERATIONS_FREE, previewMs: PREVIEW_TTL_SECONDS * 1_000 };
};

const adminsOf = (core: Core) => settingsOf(core, seoSettings).ADMIN_ID ?? [];

export const learnDeps = perCore((core): LearnDeps => {
  const { kinds, runs, sources } = workshopOf(core);
  return { sql: core.sql, clock: core.clock, log: core.log, admins: adminsOf(core), kinds, runs, sources };
});

/** What the weekly look at positions needs. */
export const rankDepsOf = perCore((core): RankDeps => {
  const { sql, clock, log } = core;
  const { SEO_RANK_DEPTH: depth } = settingsOf(core, seoSettings);
  return { sql, clock, log, depth, sources: sourcesOf(core) };
});

/** What the nightly archive of search figures needs. */
export const archiveDepsOf = perCore((core): ArchiveDeps => {
  const { sql, clock, log } = core;
  return { sql, clock, log, sources: sourcesOf(core) };
});

/** Tries again what could not be learnt of a site when it was connected. */
export const learnTaskOf = perCore((core) => createLearnTask(learnDeps(core)));

export type Workshop = ReturnType<typeof workshopOf>;

/** The kinds of work, and the runs that do it. */
export const workshopOf = perCore((core) => {
  const { sql, clock, log } = core;
  const deps = workshopDeps(core);
  const articles = articleDeps(core);
  const style = styleRun({ ...deps, guarded: core.guarded, language: loadLanguage });
  const kinds = {
    ...{ keywords: keywordsRun(deps), article: articleRun(articles), style },
    ...{ post: postRun(articles), crossPost: crossPostRun(articles), images: imagesRun(articles) },
    ...smallerKinds(deps),
  };
  const runs = createRuns({
    ...{ sql, clock, log, kinds: Object.values(kinds), rules: rulesOf(core) },
    told: followRuns({ clock, tell: tellNews, admins: adminsOf(core) }, tellOfRun(clock)),
  });
  const cleanUp = createCleanUp({ ...articles, log });
  const publishedTask = createEndTask({ sql, clock, runs, cleanUp });
  const correcting = deliveryParts(core).messengers;
  const updateTask = createUpdateTask({ sql, clock, runs, cleanUp, correcting });
  const sampleReviews = settingsOf(core, seoSettings).SEO_REVIEWS === "on";
  return { kinds, runs, articles, cleanUp, publishedTask, updateTask, sources: deps.sources, sampleReviews };
});
