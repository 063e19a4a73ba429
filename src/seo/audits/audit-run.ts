import { z } from "zod";
import { RunFailure } from "../runs/run-failure.ts";
import { defineRun } from "../runs/run-kind.ts";
import { noteSource, payerOf } from "../runs/source-calls.ts";
import type { Said } from "../said.ts";
import type { WorkshopDeps } from "../workshop-deps.ts";
import { keepAudit } from "./audits.ts";
import { learningSchema } from "./learn-later.ts";
import { auditSchema } from "./shape.ts";

export const siteOrder = z.object({
  ...{ project_id: z.int(), url: z.string().max(500) },
  learning: learningSchema.optional().describe("It was begun because the site was connected"),
});
export type SiteOrder = z.infer<typeof siteOrder>;

export const auditResult = auditSchema.omit({ audited_at: true }).extend({
  partial: z.boolean().describe("A part of the report did not come in time"),
  vitals_from: z
    .enum(["field", "lab", "none"])
    .describe("field: of real visitors; lab: of one measured visit"),
  warning: z.object({ ru: z.string(), en: z.string() }).nullable(),
});
export type AuditResult = z.infer<typeof auditResult>;

const operation = "audit";
/** The step of billing that holds the tokens. */
export const auditCharge = "audit";

const notMeasured: Said = {
  ru: "Сайт не удалось проверить. Токены возвращены. Проверьте, что он открывается, и попробуйте позже.",
  en: "The site could not be checked. The tokens were returned. Make sure that it opens, and try again later.",
};
const partly: Said = {
  ru: "Часть проверки не успела завершиться: показано то, что пришло.",
  en: "A part of the check did not end in time: what came is shown.",
};

/** Measures a site as a phone opens it and keeps the result as the project's audit. */
export function auditRun(deps: WorkshopDeps) {
  return defineRun<SiteOrder, AuditResult>({
    kind: "audit",
    title: { ru: "аудит сайта", en: "audit of a site" },
    input: siteOrder,
    async work(run, { project_id, url }) {
      // The report is kept within the step: it is too large to be stored as its result.
      const result = await run.step("measure", { result: auditResult, stage: "audit" }, async (step) => {
        const answer = await deps.sources.pagespeed.audit(url, payerOf(run, operation));
        noteSource(step, "pagespeed", answer);
        if (!answer.ok) throw new RunFailure("source_unavailable", notMeasured);
        const { scores, vitals, recommendations, partial, report } = answer.value;
        const audit = {
          ...{ url, performance: scores.performance, accessibility: scores.accessibility },
          ...{ best_practices: scores.bestPractices, seo_score: scores.seo },
          ...{ lcp_ms: whole(vitals.lcpMs), inp_ms: whole(vitals.inpMs), ttfb_ms: whole(vitals.ttfbMs) },
          cls: vitals.cls,
          recommendations: [...recommendations],
        };
        await keepAudit(deps, run, project_id, audit, report);
        return { ...audit, partial, vitals_from: vitals.from, warning: partial ? partly : null };
      });
      return { status: "done", result };
    },
  });
}

const whole = (ms: number | null) => (ms === null ? null : Math.round(ms));
