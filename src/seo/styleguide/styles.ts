/** The style guide of a project: a row each. */
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import { type AdminDeps, type By, inOneChange, noteChange } from "../../workspaces/index.ts";
import type { Whose } from "../people/whose.ts";
import { notFound } from "../problems.ts";
import { readProject } from "../projects/projects.ts";
import { guideSchema, type StyleGuide } from "./guide.ts";
import { guideText } from "./guide-text.ts";

export async function readStyle(
  sql: Sql | Transaction,
  whose: Whose,
  projectId: number,
): Promise<StyleGuide | undefined> {
  await readProject(sql, whose, projectId);
  const [row] = await sql`
    select features, description, learned_from, learned_at from seo.project_styles
    where workspace_id = ${whose.workspaceId} and project_id = ${projectId}`;
  return row && guideSchema.parse(row);
}

/** The value of `style_guide` in prompts; empty if the project has no guide. */
export async function styleGuideFor(
  sql: Sql | Transaction,
  whose: Whose,
  projectId: number,
): Promise<string> {
  const guide = await readStyle(sql, whose, projectId);
  return guide ? guideText(guide) : "";
}

/** Keeps the newest guide. */
export async function keepStyle(
  { sql, clock }: AdminDeps,
  whose: Whose,
  projectId: number,
  guide: Omit<StyleGuide, "learned_at">,
): Promise<void> {
  await readProject(sql, whose, projectId);
  const { features, description, learned_from } = guideSchema.omit({ learned_at: true }).parse(guide);
  await sql`
    insert into seo.project_styles (workspace_id, project_id, features, description, learned_from, learned_at)
    values (${whose.workspaceId}, ${projectId}, ${JSON.stringify(features)}::text::jsonb,
      ${description && JSON.stringify(description)}::text::jsonb, ${JSON.stringify(learned_from)}::text::jsonb, ${clock.now()})
    on conflict (workspace_id, project_id) do update set features = excluded.features, description = excluded.description,
      learned_from = excluded.learned_from, learned_at = excluded.learned_at`;
}

/** Texts are written without a guide from then on. */
export async function removeStyle(
  { sql, clock }: AdminDeps,
  whose: Whose,
  projectId: number,
  { by, dryRun = false }: { readonly by?: By | undefined; readonly dryRun?: boolean } = {},
): Promise<void> {
  const { workspaceId, userId } = whose;
  await inOneChange(sql, async (tx) => {
    if (!(await readStyle(tx, whose, projectId))) throw notFound("style guide of project", projectId);
    if (dryRun) return;
    await tx`
      delete from seo.project_styles where workspace_id = ${workspaceId} and project_id = ${projectId}`;
    const meta = { object: "seo_style", user_id: userId, project_id: projectId, deleted: true };
    if (by) await noteChange(tx, { workspaceId, now: clock.now(), by, meta });
  });
}
