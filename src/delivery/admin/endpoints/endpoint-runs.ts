import { z } from "zod";
import type { Sql } from "../../../kernel/db/index.ts";
import { type Page, type PageQuery, pageLimit, pageOf, placeAfter } from "../../../workspaces/index.ts";

const count = z.int().min(0);

/** The requests of one run: usually one request, or those to which their sender gave the same `ingest_run_id`. */
export const endpointRunSchema = z
  .object({
    run_id: z.string(),
    endpoint_id: z.uuid().describe("Whose secret was used; another one than asked for after a rotation"),
    started_at: z.string(),
    finished_at: z.string().nullable(),
    trace_id: z.string().nullable(),
    processed: count,
    accepted: count,
    dropped: z
      .object({ repeated: count, too_large: count, too_fast: count, malformed: count })
      .describe("Requests that did not become posts, by reason"),
    queued: count.describe("Deliveries"),
    deduped: count.describe("Deliveries that their channels had already"),
    refused: count.describe("Deliveries that their channels cannot take"),
  })
  .meta({ id: "EndpointRun" });
export type EndpointRun = z.infer<typeof endpointRunSchema>;

const place = z.tuple([z.iso.datetime(), z.string()]);

/** What came through an address, newest first: through its present secret and those before. Uses ingest_runs_by_endpoint. */
export async function endpointRuns(
  sql: Sql,
  workspaceId: string,
  address: string,
  { limit = pageLimit.usual, after }: PageQuery = {},
): Promise<Page<EndpointRun>> {
  const [startedAt, runId] = placeAfter(after, place) ?? [];
  const stat = (name: string) => sql`coalesce((r.stats_json ->> ${name})::int, 0)`;
  const rows = await sql<EndpointRun[]>`
    select r.run_id, r.endpoint_id, ${inUtc(sql, "started_at")} as started_at, ${inUtc(sql, "finished_at")} as finished_at,
      r.stats_json ->> 'trace_id' as trace_id, ${stat("processed")} as processed, ${stat("accepted")} as accepted,
      jsonb_build_object(
        'repeated', ${stat("dedup_dropped")}, 'too_large', ${stat("payload_rejected")},
        'too_fast', ${stat("rate_limited")}, 'malformed', ${stat("malformed")}) as dropped,
      ${stat("queued")} as queued, ${stat("deduped")} as deduped, ${stat("failed_permanent")} as refused
    from delivery.ingest_runs r
    where r.workspace_id = ${workspaceId}
      and r.endpoint_id in (
        select e.endpoint_id from delivery.workspace_endpoints e
        where e.workspace_id = ${workspaceId} and coalesce(e.first_id, e.endpoint_id) = ${address})
      ${startedAt && runId ? sql`and (r.started_at, r.run_id) < (${startedAt}::timestamptz, ${runId})` : sql``}
    order by r.started_at desc, r.run_id desc
    limit ${limit + 1}`;
  return pageOf(rows, limit, ({ started_at, run_id }) => [started_at, run_id]);
}

function inUtc(sql: Sql, column: "started_at" | "finished_at") {
  return sql`to_char(r.${sql(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
}
