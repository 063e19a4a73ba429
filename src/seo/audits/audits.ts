/** The last audit and the branding of a project's site: a row each. */
import type { Sql } from "../../kernel/db/index.ts";
import type { AdminDeps } from "../../workspaces/index.ts";
import type { Whose } from "../people/whose.ts";
import { readProject } from "../projects/projects.ts";
import { type Audit, auditSchema, type Branding, brandingSchema } from "./shape.ts";

export async function readAudit(sql: Sql, whose: Whose, projectId: number): Promise<Audit | undefined> {
  await readProject(sql, whose, projectId);
  const [audit] = await sql`
    select url, performance, accessibility, best_practices, seo_score, lcp_ms, inp_ms, cls::float8, ttfb_ms, recommendations, audited_at
    from seo.site_audits where workspace_id = ${whose.workspaceId} and project_id = ${projectId}`;
  return audit && auditSchema.parse(audit);
}

/** Keeps the newest audit with the provider's whole report, and its scores beside those of all others. */
export async function keepAudit(
  { sql, clock }: AdminDeps,
  whose: Whose,
  projectId: number,
  audit: Omit<Audit, "audited_at">,
  report: unknown,
): Promise<void> {
  await readProject(sql, whose, projectId);
  const row = { ...auditSchema.omit({ audited_at: true }).parse(audit) };
  await sql`
    with kept as (
    insert into seo.site_audits (workspace_id, project_id, url, performance, accessibility, best_practices, seo_score, lcp_ms, inp_ms,
      cls, ttfb_ms, full_report, recommendations, audited_at)
    values (${whose.workspaceId}, ${projectId}, ${row.url}, ${row.performance}, ${row.accessibility}, ${row.best_practices},
      ${row.seo_score}, ${row.lcp_ms}, ${row.inp_ms}, ${row.cls}, ${row.ttfb_ms}, ${JSON.stringify(report ?? null)}::text::jsonb,
      ${JSON.stringify(row.recommendations)}::text::jsonb, ${clock.now()})
    on conflict (workspace_id, project_id) do update set url = excluded.url, performance = excluded.performance,
      accessibility = excluded.accessibility, best_practices = excluded.best_practices, seo_score = excluded.seo_score,
      lcp_ms = excluded.lcp_ms, inp_ms = excluded.inp_ms, cls = excluded.cls, ttfb_ms = excluded.ttfb_ms,
      full_report = excluded.full_report, recommendations = excluded.recommendations, audited_at = excluded.audited_at
    returning workspace_id, project_id, audited_at, performance, accessibility, best_practices, seo_score)
    insert into seo.audit_scores (workspace_id, project_id, audited_at, performance, accessibility, best_practices, seo_score)
    select * from kept
    on conflict do nothing`;
}

export async function readBranding(sql: Sql, whose: Whose, projectId: number): Promise<Branding | undefined> {
  await readProject(sql, whose, projectId);
  const [branding] = await sql`
    select url, colors, fonts, logo_url, extracted_at from seo.site_brandings
    where workspace_id = ${whose.workspaceId} and project_id = ${projectId}`;
  return branding && brandingSchema.parse(branding);
}

export async function keepBranding(
  { sql, clock }: AdminDeps,
  whose: Whose,
  projectId: number,
  branding: Omit<Branding, "extracted_at">,
): Promise<void> {
  await readProject(sql, whose, projectId);
  const { url, colors, fonts, logo_url } = brandingSchema.omit({ extracted_at: true }).parse(branding);
  await sql`
    insert into seo.site_brandings (workspace_id, project_id, url, colors, fonts, logo_url, extracted_at)
    values (${whose.workspaceId}, ${projectId}, ${url}, ${JSON.stringify(colors)}::text::jsonb, ${JSON.stringify(fonts)}::text::jsonb,
      ${logo_url}, ${clock.now()})
    on conflict (workspace_id, project_id) do update set url = excluded.url, colors = excluded.colors, fonts = excluded.fonts,
      logo_url = excluded.logo_url, extracted_at = excluded.extracted_at`;
}
