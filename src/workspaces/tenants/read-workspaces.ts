import { problem } from "../../http/index.ts";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import { idAfter } from "../requests/cursor.ts";
import { type Page, type PageQuery, pageLimit, pageOf } from "../requests/paging.ts";
import type { Workspace } from "./workspace-shape.ts";

/** Workspaces by creation time; only some if given. */
export async function workspacePage(
  sql: Sql,
  { only, limit = pageLimit.usual, after }: PageQuery & { only?: readonly string[] | null } = {},
): Promise<Page<Workspace>> {
  const from = idAfter(after);
  const rows = await sql<Workspace[]>`
    select ${columns(sql)} from workspaces.workspaces w
    where true
      ${only ? sql`and w.workspace_id = any (${[...only]}::uuid[])` : sql``}
      ${from ? sql`and w.workspace_id > ${from}` : sql``}
    order by w.workspace_id
    limit ${limit + 1}`;
  return pageOf(rows, limit, ({ workspace_id }) => [workspace_id]);
}

export async function readWorkspace(sql: Sql | Transaction, workspaceId: string): Promise<Workspace> {
  const [row] = await sql<Workspace[]>`
    select ${columns(sql)} from workspaces.workspaces w where w.workspace_id = ${workspaceId}`;
  if (!row) throw problem("not_found", { detail: `There is no workspace ${workspaceId}.` });
  return row;
}

function columns(sql: Sql | Transaction) {
  return sql`w.workspace_id, w.name, w.status, w.timezone, w.settings, w.created_at, w.updated_at,
    coalesce((workspaces.counts_of(w.workspace_id) ->> 'channels')::int, 0) as channels`;
}
