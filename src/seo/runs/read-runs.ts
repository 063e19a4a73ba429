import { z } from "zod";
import { problem } from "../../http/index.ts";
import type { IdColumn, Sql } from "../../kernel/db/index.ts";
import {
  type Page,
  type PageQuery,
  pageLimit,
  pageOf,
  placeAfter,
  timeAndId,
} from "../../workspaces/index.ts";
import { type RunStatus, runStatuses } from "./run-row.ts";
import { stages } from "./texts.ts";

export const runColumn: IdColumn = { what: "run", table: "seo.runs", column: "id" };

const said = z.object({ ru: z.string(), en: z.string() });

export const runSchema = z
  .object({
    run_id: z.string(),
    user_id: z.int().describe("The Telegram id of the person it is done for"),
    kind: z.string().describe("article, social_post, keywords, …"),
    status: z.enum(runStatuses),
    stage: said.nullable().describe("What is being done, as the person reads it"),
    origin: z.enum(["person", "schedule"]),
    round: z.int().describe("0, and one more for each regeneration"),
    project_id: z.int().nullable(),
    category_id: z.int().nullable(),
    connection_id: z.int().nullable(),
    error: z.object({ code: z.string(), message: said }).nullable(),
    cost_usd: z.number().describe("What providers were paid for it"),
    tokens: z.int().describe("What the person is charged: held or settled"),
    created_at: z.date(),
    ended_at: z.date().nullable(),
  })
  .meta({ id: "SeoRun" });
export type RunView = z.infer<typeof runSchema>;

export const stepSchema = z
  .object({
    round: z.int(),
    name: z.string(),
    status: z.enum(["running", "done", "failed"]),
    ms: z.int().nullable().describe("How long it took"),
    cost_usd: z.number(),
    notes: z.array(z.looseObject({ what: z.string() })).describe("What it read, asked and noticed"),
    calls: z.array(z.looseObject({ provider: z.string() })).describe("Calls of providers"),
    error: z.string().nullable(),
    started_at: z.date(),
  })
  .meta({ id: "SeoRunStep" });
export type StepView = z.infer<typeof stepSchema>;

export const holdSchema = z.object({
  step: z.string(),
  operation: z.string(),
  charged: z.int(),
  amount: z.int(),
  state: z.enum(["held", "settled", "returned"]),
  reason: z.string().nullable(),
});

export const runDetailSchema = runSchema
  .extend({
    input: z.unknown(),
    result: z.unknown(),
    steps: z.array(stepSchema),
    receipt: z.array(holdSchema).describe("What was held for it, and how that ended"),
  })
  .meta({ id: "SeoRunDetail" });
export type RunDetail = z.infer<typeof runDetailSchema>;

export interface RunQuery extends PageQuery {
  readonly user_id?: number | undefined;
  readonly kind?: string | undefined;
  readonly status?: RunStatus | undefined;
}

/** Runs, the newest first. Uses runs_of_user or runs_by_time. */
export async function runPage(
  sql: Sql,
  workspaceId: string,
  { limit = pageLimit.usual, after, user_id, kind, status }: RunQuery,
): Promise<Page<RunView>> {
  const from = placeAfter(after, timeAndId);
  const rows = await sql<(Row & { at: string })[]>`
    select ${columns(sql)},
      to_char(r.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at
    from seo.runs r
    where r.workspace_id = ${workspaceId}
      ${user_id === undefined ? sql`` : sql`and r.user_id = ${user_id}`}
      ${kind === undefined ? sql`` : sql`and r.kind = ${kind}`}
      ${status === undefined ? sql`` : sql`and r.status = ${status}`}
      ${from ? sql`and (r.created_at, r.id) < (${from[0]}::timestamptz, ${from[1]}::uuid)` : sql``}
    order by r.created_at desc, r.id desc
    limit ${limit + 1}`;
  const { items, next } = pageOf(rows, limit, ({ at, run_id }) => [at, run_id]);
  return { items: items.map(({ at: _at, ...row }) => viewOf(row)), next };
}

/** A run with its steps and its tokens; of this person only, if one is named. */
export async function readRun(
  sql: Sql,
  workspaceId: string,
  runId: string,
  userId?: number,
): Promise<RunDetail> {
  const [run] = await sql<(Row & { input: unknown; result: unknown })[]>`
    select ${columns(sql)}, r.input, r.result
    from seo.runs r
    where r.workspace_id = ${workspaceId} and r.id = ${runId}
      ${userId === undefined ? sql`` : sql`and r.user_id = ${userId}`}`;
  if (!run) throw problem("not_found", { detail: `There is no run ${runId}.` });
  const { input, result, ...row } = run;
  const [steps, receipt] = await Promise.all([
    sql<StepView[]>`
      select s.round, s.name, s.status, s.cost_usd::float8 as cost_usd, s.notes, s.calls, s.error, s.started_at,
        round(extract(epoch from s.ended_at - s.started_at) * 1000)::int as ms
      from seo.run_steps s
      where s.workspace_id = ${workspaceId} and s.run_id = ${runId}
      order by s.round, s.started_at, s.name`,
    sql<z.infer<typeof holdSchema>[]>`
      select h.step, h.operation, h.charged, h.amount, h.state, h.reason
      from billing.holds h where h.workspace_id = ${workspaceId} and h.run = ${runId}::text
      order by h.created_at, h.step`,
  ]);
  return { ...viewOf(row), input, result, steps: [...steps], receipt: [...receipt] };
}

interface Row extends Omit<RunView, "stage"> {
  readonly stage: string | null;
}

const columns = (sql: Sql) => sql`
  r.id as run_id, r.user_id, r.kind, r.status, r.stage, r.origin, r.round, r.project_id, r.category_id, r.connection_id, r.error,
  r.created_at, r.ended_at,
  coalesce((
    select sum(s.cost_usd)::float8 from seo.run_steps s
    where s.workspace_id = r.workspace_id and s.run_id = r.id), 0) as cost_usd,
  coalesce((
    select sum(h.amount)::int from billing.holds h
    where h.workspace_id = r.workspace_id and h.run = r.id::text and h.state <> 'returned'), 0) as tokens`;

function viewOf({ stage, ...row }: Row): RunView {
  const known = Object.entries(stages).find(([name]) => name === stage);
  return { ...row, stage: known?.[1] ?? null };
}
