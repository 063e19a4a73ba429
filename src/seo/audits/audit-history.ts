/** How the scores of a project's site went, audit by audit. */
import { z } from "zod";
import type { Sql } from "../../kernel/db/index.ts";
import type { Whose } from "../people/whose.ts";
import { readProject } from "../projects/projects.ts";
import { auditSchema } from "./shape.ts";

export const auditScoresSchema = auditSchema
  .pick({ audited_at: true, performance: true, accessibility: true, best_practices: true, seo_score: true })
  .meta({ id: "SeoAuditScores" });
export type AuditScores = z.infer<typeof auditScoresSchema>;

export const scoreNames = ["performance", "accessibility", "best_practices", "seo_score"] as const;
export type ScoreName = (typeof scoreNames)[number];

/** As many as a picture shows. */
export const mostAudits = 30;

/** The last audits, the oldest first. */
export async function auditHistory(sql: Sql, whose: Whose, projectId: number): Promise<AuditScores[]> {
  await readProject(sql, whose, projectId);
  // An imported audit is among the newest ones only.
  const rows = await sql`
    select s.audited_at, s.performance, s.accessibility, s.best_practices, s.seo_score from seo.audit_scores s
    where s.workspace_id = ${whose.workspaceId} and s.project_id = ${projectId}
    union
    select a.audited_at, a.performance, a.accessibility, a.best_practices, a.seo_score from seo.site_audits a
    where a.workspace_id = ${whose.workspaceId} and a.project_id = ${projectId}
    order by audited_at desc
    limit ${mostAudits}`;
  return z.array(auditScoresSchema).parse(rows).toReversed();
}
