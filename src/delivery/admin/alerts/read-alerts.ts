import { problem } from "../../../http/index.ts";
import type { Sql, Transaction } from "../../../kernel/db/index.ts";
import { idAfter, type Page, type PageQuery, pageLimit, pageOf } from "../../../workspaces/index.ts";
import { type Alert, type AlertTarget, shownConfig } from "./alert-shape.ts";

/** The alert targets of a workspace, oldest first. */
export async function alertTargetPage(
  sql: Sql,
  workspaceId: string,
  { limit = pageLimit.usual, after }: PageQuery = {},
): Promise<Page<AlertTarget>> {
  const from = idAfter(after);
  const rows = await sql<AlertTarget[]>`
    select ${columns(sql)} from delivery.alert_targets t
    where t.workspace_id = ${workspaceId} ${from ? sql`and t.target_id > ${from}` : sql``}
    order by t.target_id
    limit ${limit + 1}`;
  return pageOf(rows.map(shown), limit, ({ target_id }) => [target_id]);
}

export async function readAlertTarget(
  sql: Sql | Transaction,
  workspaceId: string,
  targetId: string,
): Promise<AlertTarget> {
  const [row] = await sql<AlertTarget[]>`
    select ${columns(sql)} from delivery.alert_targets t
    where t.workspace_id = ${workspaceId} and t.target_id = ${targetId}`;
  if (!row) throw noTarget(targetId);
  return shown(row);
}

/** The alerts that are still kept, newest first. */
export async function alertPage(
  sql: Sql,
  workspaceId: string,
  { limit = pageLimit.usual, after }: PageQuery = {},
): Promise<Page<Alert>> {
  const from = idAfter(after);
  const rows = await sql<Alert[]>`
    select a.alert_id, a.alert_fingerprint, a.reasons, a.findings, a.created_at, coalesce((
        select jsonb_agg(jsonb_build_object(
          'target_id', s.target_id, 'kind', t.kind, 'status', s.status, 'attempts', s.attempts,
          'last_error', s.last_error, 'ended_at', s.ended_at) order by s.target_id)
        from delivery.alert_sends s
        join delivery.alert_targets t using (workspace_id, target_id)
        where s.workspace_id = a.workspace_id and s.alert_id = a.alert_id), '[]') as letters
    from delivery.alerts a
    where a.workspace_id = ${workspaceId} ${from ? sql`and a.alert_id < ${from}` : sql``}
    order by a.alert_id desc
    limit ${limit + 1}`;
  return pageOf(rows, limit, ({ alert_id }) => [alert_id]);
}

export function noTarget(targetId: string) {
  return problem("not_found", { detail: `There is no alert target ${targetId}.` });
}

function shown(row: AlertTarget): AlertTarget {
  return { ...row, config: shownConfig(row.kind, row.config) };
}

function columns(sql: Sql | Transaction) {
  return sql`t.target_id, t.kind, t.config, t.secret_ref is not null as has_secret, t.language, t.enabled, t.sent_count,
    t.failed_count, t.last_error, t.created_at, t.updated_at`;
}
