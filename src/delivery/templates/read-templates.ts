import type { Sql } from "../../kernel/db/index.ts";
import type { Template } from "./template.ts";

export interface TemplatePage {
  readonly items: Template[];
  /** Give it as `after` to get the next page; null on the last. */
  readonly next: string | null;
}

/** The templates of a workspace by name, each as its active version, or as its newest when none is active. */
export async function listTemplates(
  sql: Sql,
  workspaceId: string,
  { limit = 100, after = "" }: { limit?: number; after?: string | undefined } = {},
): Promise<TemplatePage> {
  const rows = await sql<Template[]>`
    select distinct on (t.template_id) ${columns(sql)}
    from delivery.templates t
    where t.workspace_id = ${workspaceId} and t.template_id > ${after}
    order by t.template_id, t.active desc, t.version desc
    limit ${limit + 1}`;
  const items = rows.slice(0, limit);
  return { items, next: rows.length > limit ? (items.at(-1)?.template_id ?? null) : null };
}

/** Every version of a template, the newest first; empty when there is no such template. */
export async function templateVersions(
  sql: Sql,
  { workspaceId, templateId }: { workspaceId: string; templateId: string },
): Promise<Template[]> {
  return sql<Template[]>`
    select ${columns(sql)}
    from delivery.templates t
    where t.workspace_id = ${workspaceId} and t.template_id = ${templateId}
    order by t.version desc`;
}

/** One version; without a number the active one, or the newest when none is active. */
export async function getTemplate(
  sql: Sql,
  {
    workspaceId,
    templateId,
    version,
  }: { workspaceId: string; templateId: string; version?: number | undefined },
): Promise<Template | undefined> {
  const [row] = await sql<Template[]>`
    select ${columns(sql)}
    from delivery.templates t
    where t.workspace_id = ${workspaceId} and t.template_id = ${templateId}
      ${version === undefined ? sql`` : sql`and t.version = ${version}`}
    order by t.active desc, t.version desc
    limit 1`;
  return row;
}

function columns(sql: Sql) {
  return sql`t.template_id, t.version, t.body, t.defaults, t.active,
    to_char(t.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as created_at`;
}
