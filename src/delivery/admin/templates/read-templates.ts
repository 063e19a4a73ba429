import { z } from "zod";
import { problem } from "../../../http/index.ts";
import type { Sql } from "../../../kernel/db/index.ts";
import { type Page, type PageQuery, pageLimit, pageOf, placeAfter } from "../../../workspaces/index.ts";
import type { Template } from "./template-shape.ts";

/** The templates of a workspace by name, each in its active version, or in its newest if none is active. */
export async function templatePage(
  sql: Sql,
  workspaceId: string,
  { limit = pageLimit.usual, after }: PageQuery = {},
): Promise<Page<Template>> {
  const [from] = placeAfter(after, z.tuple([z.string()])) ?? [""];
  const rows = await sql<Template[]>`
    select distinct on (t.template_id) ${columns(sql)}
    from delivery.templates t
    where t.workspace_id = ${workspaceId} and t.template_id > ${from}
    order by t.template_id, t.active desc, t.version desc
    limit ${limit + 1}`;
  return pageOf(rows, limit, ({ template_id }) => [template_id]);
}

/** All versions of a template, newest first; empty if there is no such template. */
export async function templateVersions(
  sql: Sql,
  workspaceId: string,
  templateId: string,
): Promise<Template[]> {
  return sql<Template[]>`
    select ${columns(sql)}
    from delivery.templates t
    where t.workspace_id = ${workspaceId} and t.template_id = ${templateId}
    order by t.version desc`;
}

/** One version; without a number the active one, or the newest if none is active. */
export async function readTemplate(
  sql: Sql,
  workspaceId: string,
  templateId: string,
  version?: number,
): Promise<Template> {
  const [row] = await sql<Template[]>`
    select ${columns(sql)}
    from delivery.templates t
    where t.workspace_id = ${workspaceId} and t.template_id = ${templateId}
      ${version === undefined ? sql`` : sql`and t.version = ${version}`}
    order by t.active desc, t.version desc
    limit 1`;
  if (!row) throw notFound(templateId, version);
  return row;
}

export function notFound(templateId: string, version?: number) {
  const which = version === undefined ? "" : ` with a version ${version}`;
  return problem("not_found", { detail: `There is no template ${templateId}${which}.` });
}

function columns(sql: Sql) {
  return sql`t.template_id, t.version, t.body, t.defaults, t.active,
    to_char(t.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as created_at`;
}
