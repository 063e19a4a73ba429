import { z } from "zod";
import { defineRun } from "../runs/run-kind.ts";
import { noteSource, payerOf } from "../runs/source-calls.ts";
import { plainBranding } from "../sources/firecrawl/branding.ts";
import type { WorkshopDeps } from "../workshop-deps.ts";
import { type SiteOrder, siteOrder } from "./audit-run.ts";
import { keepBranding, readBranding } from "./audits.ts";
import { againAt, tryAgain } from "./learn-later.ts";
import { brandingSchema } from "./shape.ts";

export const brandingResult = brandingSchema.omit({ extracted_at: true }).extend({
  from: z
    .enum(["site", "kept", "default"])
    .describe("site: read now; kept: read before; default: nothing could be read"),
  again_at: z.string().nullable().default(null).describe("When it is tried again"),
});
export type BrandingResult = z.infer<typeof brandingResult>;

const operation = "branding";

/** Reads colours, fonts and the logo of a site. It never fails: without them articles have plain colours. */
export function brandingRun(deps: WorkshopDeps) {
  return defineRun<SiteOrder, BrandingResult>({
    kind: "branding",
    title: { ru: "фирменный стиль", en: "branding" },
    input: siteOrder,
    async work(run, { project_id, url, learning }) {
      const result = await run.step(
        "read",
        { result: brandingResult, stage: "audit" },
        async (step): Promise<BrandingResult> => {
          const answer = await deps.sources.firecrawl.branding(url, payerOf(run, operation));
          noteSource(step, "firecrawl", answer);
          const again_at = againAt(learning, answer, deps.clock.now());
          const before = answer.ok ? undefined : await readBranding(deps.sql, run, project_id);
          if (before && before.url === url) {
            const { extracted_at: _, ...kept } = before;
            return { ...kept, from: "kept", again_at };
          }
          const { colors, fonts, logoUrl } = answer.ok ? answer.value : plainBranding;
          const branding = { url, colors, fonts, logo_url: logoUrl };
          await keepBranding(deps, run, project_id, branding);
          return { ...branding, from: answer.ok ? "site" : "default", again_at };
        },
      );
      return { status: "done", result, also: tryAgain("branding", run, learning, result.again_at) };
    },
  });
}
