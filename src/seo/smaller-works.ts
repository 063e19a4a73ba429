/** Works beside articles and posts: plans, descriptions, reviews, competitors, audits, branding, uploaded phrases, estimates. */
import type { App } from "../http/index.ts";
import { planRun } from "./articles/plan-run.ts";
import { auditRun } from "./audits/audit-run.ts";
import { brandingRun } from "./audits/branding-run.ts";
import { auditRoutes } from "./audits/routes.ts";
import { siteMapRun } from "./audits/site-map-run.ts";
import { competitorRun } from "./competitors/competitor-run.ts";
import { competitorRoutes } from "./competitors/routes.ts";
import { estimateRoutes } from "./estimates/routes.ts";
import { uploadRoutes } from "./keywords/upload-routes.ts";
import { uploadRun } from "./keywords/upload-run.ts";
import type { Sources } from "./sources/index.ts";
import { descriptionRun } from "./texts/description-run.ts";
import { reviewsRun } from "./texts/reviews-run.ts";
import { textRoutes } from "./texts/routes.ts";
import type { OrderDeps, WorkshopDeps } from "./workshop-deps.ts";

export type SmallerKinds = ReturnType<typeof smallerKinds>;

export const smallerKinds = (deps: WorkshopDeps) => ({
  plan: planRun(deps),
  description: descriptionRun(deps),
  reviews: reviewsRun(deps),
  competitor: competitorRun(deps),
  audit: auditRun(deps),
  branding: brandingRun(deps),
  siteMap: siteMapRun(deps),
  upload: uploadRun(deps),
});

export interface SmallerDeps extends OrderDeps {
  readonly kinds: SmallerKinds;
  readonly sources: Sources;
  readonly sampleReviews: boolean;
}

export function smallerRoutes(app: App, deps: SmallerDeps): void {
  textRoutes(app, deps);
  competitorRoutes(app, deps);
  auditRoutes(app, deps);
  uploadRoutes(app, deps);
  estimateRoutes(app, deps);
}
