/** Sources as operators see them. */
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import type { SourceName } from "./pull-now.ts";
import type { Cursor, SourceKind } from "./source.ts";
import { type RunView, runColumns } from "./source-runs.ts";

export interface SourceView {
  readonly source_id: string;
  readonly kind: SourceKind;
  readonly config: unknown;
  readonly enabled: boolean;
  readonly every_seconds: number;
  readonly has_secret: boolean;
  readonly endpoint_id: string | null;
  readonly next_run_at: Date;
  readonly running: boolean;
  readonly last_run_at: Date | null;
  readonly last_success_at: Date | null;
  readonly failures: number;
  readonly last_error: { code: string; message: string; at: string } | null;
  /** The newest run, which may still be under way. */
  readonly last_run: RunView | null;
  readonly cursor: Cursor;
  readonly created_at: Date;
}

export async function showSource(sql: Sql | Transaction, name: SourceName): Promise<SourceView | undefined> {
  const [source] = await views(sql, name.workspaceId, name.sourceId);
  return source;
}

export function listSources(sql: Sql, workspaceId: string): Promise<SourceView[]> {
  return views(sql, workspaceId, null);
}

async function views(
  sql: Sql | Transaction,
  workspaceId: string,
  sourceId: string | null,
): Promise<SourceView[]> {
  return [
    ...(await sql<SourceView[]>`
      select s.source_id, s.kind, s.config_json as config, s.enabled, s.every_seconds,
        s.secret_ref is not null as has_secret, delivery.endpoint_of_source(s.workspace_id, s.source_id) as endpoint_id,
        s.next_run_at, s.leased_by is not null as running, s.last_run_at, s.last_success_at, s.failures, s.last_error,
        to_jsonb(last) as last_run, coalesce(c.cursor_json, '{}') as cursor, s.created_at
      from delivery.pull_sources s left join delivery.pull_cursors c using (workspace_id, source_id)
      -- Uses ingest_runs_by_source.
      left join lateral (
        select ${runColumns(sql)} from delivery.ingest_runs r
        where r.workspace_id = s.workspace_id and r.source_id = s.source_id
        order by r.started_at desc limit 1
      ) last on true
      where s.workspace_id = ${workspaceId} and (${sourceId}::text is null or s.source_id = ${sourceId})
      order by s.source_id`),
  ];
}
