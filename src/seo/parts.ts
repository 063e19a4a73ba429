import { createLedger } from "../billing/index.ts";
import { deliveryParts } from "../delivery/index.ts";
import { settingsOf } from "../kernel/config/index.ts";
import { gatewayOf } from "../llm/index.ts";
import { perCore } from "../workspaces/index.ts";
import { type ConnectDeps, disconnectChannels } from "./connections/connect.ts";
import { seoSettings } from "./environment.ts";
import { keywordsRun } from "./keywords/keywords-run.ts";
import type { PeopleDeps } from "./people/people.ts";
import { refundDrafts } from "./previews/refund-drafts.ts";
import type { DeleteDeps } from "./projects/delete.ts";
import { createRuns } from "./runs/create-runs.ts";
import { smallerKinds } from "./smaller-works.ts";
import { sourcesOf } from "./sources/index.ts";
import type { WorkshopDeps } from "./workshop-deps.ts";

export interface SeoDeps extends ConnectDeps, PeopleDeps, DeleteDeps {}

/** The dependencies of SEO Master, created once per core. */
export const seoParts = perCore((core): SeoDeps => {
  const { messengers } = deliveryParts(core);
  return {
    ...messengers,
    vault: core.vault,
    admins: settingsOf(core, seoSettings).ADMIN_ID ?? [],
    // Money first: what fails later has returned it at least. Whoever keeps something elsewhere adds a step here.
    beforeDelete: [refundDrafts(messengers), disconnectChannels(messengers)],
  };
});

const workshopDeps = perCore((core): WorkshopDeps => {
  const { sql, clock } = core;
  const ledger = createLedger(sql, clock);
  return { sql, clock, ledger, gateway: gatewayOf(core), sources: sourcesOf(core) };
});

export type Workshop = ReturnType<typeof workshopOf>;

/** The kinds of work, and the runs that do it. */
export const workshopOf = perCore((core) => {
  const { sql, clock, log } = core;
  const deps = workshopDeps(core);
  const kinds = { keywords: keywordsRun(deps), ...smallerKinds(deps) };
  const runs = createRuns({ sql, clock, log, kinds: Object.values(kinds) });
  const sampleReviews = settingsOf(core, seoSettings).SEO_REVIEWS === "on";
  return { kinds, runs, sources: deps.sources, sampleReviews };
});
