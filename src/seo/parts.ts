import { createLedger } from "../billing/index.ts";
import { deliveryParts } from "../delivery/index.ts";
import { settingsOf } from "../kernel/config/index.ts";
import { gatewayOf } from "../llm/index.ts";
import { createTelegraph } from "../telegraph/index.ts";
import { type Core, perCore } from "../workspaces/index.ts";
import type { ArticleDeps } from "./articles/article-deps.ts";
import { articleRun } from "./articles/article-run.ts";
import { createLearnTask, type LearnDeps, learnSite } from "./audits/learn-site.ts";
import { deleteMediaFiles } from "./categories/media-files.ts";
import { type ConnectDeps, disconnectChannels } from "./connections/connect.ts";
import { seoSettings } from "./environment.ts";
import { keywordsRun } from "./keywords/keywords-run.ts";
import { loadLanguage } from "./language/index.ts";
import type { PeopleDeps } from "./people/people.ts";
import { imagesRun } from "./pictures/images-run.ts";
import { crossPostRun } from "./posts/cross-post-run.ts";
import { postRun } from "./posts/post-run.ts";
import { refundDrafts } from "./previews/refund-drafts.ts";
import { createTokenKeeper } from "./previews/telegraph-token.ts";
import type { DeleteDeps } from "./projects/delete.ts";
import { createCleanUp } from "./publish/clean-up.ts";
import { createEndTask } from "./publish/publish-run.ts";
import { createUpdateTask } from "./publish/update-page.ts";
import { createRuns } from "./runs/create-runs.ts";
import { smallerKinds } from "./smaller-works.ts";
import { sourcesOf } from "./sources/index.ts";
import { styleRun } from "./styleguide/index.ts";
import type { WorkshopDeps } from "./workshop-deps.ts";

export interface SeoDeps extends ConnectDeps, PeopleDeps, DeleteDeps {}

/** The dependencies of SEO Master, created once per core. */
export const seoParts = perCore((core): SeoDeps => {
  const { messengers } = deliveryParts(core);
  return {
    ...messengers,
    vault: core.vault,
    admins: adminsOf(core),
    afterConnect: async (whose, connection) => {
      await learnSite(learnDeps(core), whose, connection);
    },
    // Money first: what fails later has returned it at least. Whoever keeps something elsewhere adds a step here.
    beforeDelete: [refundDrafts(messengers), disconnectChannels(messengers), deleteMediaFiles(core)],
  };
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
  return { ...workshopDeps(core), platforms, storage, telegraph, language: loadLanguage };
});

const adminsOf = (core: Core) => settingsOf(core, seoSettings).ADMIN_ID ?? [];

const learnDeps = perCore((core): LearnDeps => {
  const { kinds, runs, sources } = workshopOf(core);
  return { sql: core.sql, clock: core.clock, log: core.log, admins: adminsOf(core), kinds, runs, sources };
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
  const runs = createRuns({ sql, clock, log, kinds: Object.values(kinds) });
  const cleanUp = createCleanUp({ ...articles, log });
  const publishedTask = createEndTask({ sql, clock, runs, cleanUp });
  const correcting = deliveryParts(core).messengers;
  const updateTask = createUpdateTask({ sql, clock, runs, cleanUp, correcting });
  const sampleReviews = settingsOf(core, seoSettings).SEO_REVIEWS === "on";
  return { kinds, runs, articles, cleanUp, publishedTask, updateTask, sources: deps.sources, sampleReviews };
});
