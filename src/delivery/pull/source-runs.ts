/** What runs of a source brought, and what was refused of it. */
import { z } from "zod";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import { type Page, type PageQuery, pageLimit, pageOf, placeAfter } from "../../workspaces/index.ts";
import type { SourceName } from "./pull-now.ts";

export interface RunView {
  readonly run_id: string;
  readonly started_at: string;
  readonly finished_at: string | null;
  /** Counts by the names of PullStats, `not_modified`, `interrupted`, `abandoned`, and the `error` of a run that failed. */
  readonly stats: Readonly<Record<string, unknown>>;
}

export interface SourceRunView extends RunView {
  readonly refused: { readonly source_ref: string; readonly fault: unknown; readonly at: string }[];
}

/** The most refused items that are told of one run. */
export const mostRefused = 50;

/** The newest runs first. */
export async function sourceRuns(
  sql: Sql,
  { workspaceId, sourceId }: SourceName,
  { limit = pageLimit.usual, after }: PageQuery = {},
): Promise<Page<SourceRunView>> {
  const [at, runId] = placeAfter(after, place) ?? [null, null];
  const rows = await sql<SourceRunView[]>`
    select ${runColumns(sql)}, refused.items as refused
    from delivery.ingest_runs r
    -- Uses events_by_action: a run is short, so few events of this kind lie within it.
    cross join lateral (
      select coalesce(jsonb_agg(jsonb_build_object(
        'source_ref', e.meta ->> 'source_ref', 'fault', e.meta -> 'fault', 'at', e.ts) order by e.ts), '[]') as items
      from (
        select * from workspaces.events e
        where e.workspace_id = r.workspace_id and e.action = 'ingress_payload_rejected'
          and e.ts between r.started_at - interval '1 second' and coalesce(r.finished_at, 'infinity')
          and e.meta ->> 'run_id' = r.run_id
        order by e.ts limit ${mostRefused}
      ) e
    ) refused
    where r.workspace_id = ${workspaceId} and r.source_id = ${sourceId}
      and (${at}::timestamptz is null or (r.started_at, r.run_id) < (${at}::timestamptz, ${runId}))
    order by r.started_at desc, r.run_id desc
    limit ${limit + 1}`;
  return pageOf(rows, limit, ({ started_at, run_id }) => [started_at, run_id]);
}

const place = z.tuple([z.iso.datetime(), z.string()]);

export function runColumns(sql: Sql | Transaction) {
  const exact = (column: "started_at" | "finished_at") =>
    sql`to_char(${sql(`r.${column}`)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as ${sql(column)}`;
  return sql`r.run_id, ${exact("started_at")}, ${exact("finished_at")}, r.stats_json as stats`;
}
