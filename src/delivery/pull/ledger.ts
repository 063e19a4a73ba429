/** The SQL functions of pulling, one call each. */
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import type { PreparedPost } from "../ingest/prepare-and-compile.ts";
import type { PullItem } from "./pull-item.ts";
import { pullLimits } from "./pull-limits.ts";
import { noStats, type PullStats } from "./pull-stats.ts";
import type { Cursor, LeasedSource, PullFailure, Source, SourceKind } from "./source.ts";

interface SourceRow {
  workspace_id: string;
  source_id: string;
  kind: SourceKind;
  config_json: unknown;
  secret_ref: string | null;
  forgotten_up_to: Date | null;
  leased_by: string | null;
  cursor_json: Cursor | null;
  endpoint_id: string | null;
}

/** How many sources a process reads at once, and which it is reading now. */
export interface Places {
  readonly all: number;
  readonly taken: readonly LeasedSource[];
}

export async function leaseDueSources(sql: Sql, { all, taken }: Places, now: Date): Promise<LeasedSource[]> {
  const rows = await sql<SourceRow[]>`
    select s.*, c.cursor_json, delivery.endpoint_of_source(s.workspace_id, s.source_id) as endpoint_id
    from delivery.lease_due_sources(
      ${all}, make_interval(secs => ${pullLimits.leaseSeconds}), ${workspacesOf(taken)}, ${runsOf(taken)}, ${now}) s
    left join delivery.pull_cursors c using (workspace_id, source_id)`;
  return rows.map(leasedOf);
}

/** Undefined while another run holds it, or if it is disabled or unknown. */
export async function leaseSource(
  sql: Sql,
  workspaceId: string,
  sourceId: string,
  now: Date,
): Promise<LeasedSource | undefined> {
  const [row] = await sql<SourceRow[]>`
    select s.*, c.cursor_json, delivery.endpoint_of_source(s.workspace_id, s.source_id) as endpoint_id
    from delivery.lease_pull_source(
      ${workspaceId}, ${sourceId}, make_interval(secs => ${pullLimits.leaseSeconds}), ${now}) s
    left join delivery.pull_cursors c using (workspace_id, source_id)`;
  return row && leasedOf(row);
}

/** The source as stored, without a lease. */
export async function readSource(
  sql: Sql,
  workspaceId: string,
  sourceId: string,
): Promise<Source | undefined> {
  const [row] = await sql<SourceRow[]>`
    select s.*, c.cursor_json, delivery.endpoint_of_source(s.workspace_id, s.source_id) as endpoint_id
    from delivery.pull_sources s left join delivery.pull_cursors c using (workspace_id, source_id)
    where s.workspace_id = ${workspaceId} and s.source_id = ${sourceId}`;
  return row && sourceOf(row);
}

export async function unseenRefs(sql: Sql, source: Source, refs: readonly string[]): Promise<Set<string>> {
  const rows = await sql<{ ref: string }[]>`
    select ref from delivery.unseen_refs(${source.workspaceId}, ${source.sourceId}, ${[...refs]}) as ref`;
  return new Set(rows.map(({ ref }) => ref));
}

export async function renewReceipts(
  sql: Sql,
  source: Source,
  refs: readonly string[],
  now: Date,
): Promise<void> {
  await sql`select delivery.renew_pull_receipts(${source.workspaceId}, ${source.sourceId}, ${[...refs]}, ${now})`;
}

export interface ChunkAnswer extends PullStats {
  readonly run_id: string;
  readonly cursor_to?: string | null;
  readonly skipped?: true;
  readonly reason?: "ingress_config_error";
}

export interface Chunk {
  readonly workspaceId: string;
  readonly sourceId: string;
  readonly endpointId: string | null;
  readonly items: readonly PullItem[];
  /** For each item its post in the form for enqueueing, or null. */
  readonly prepared: readonly (PreparedPost | null)[];
  readonly runId: string | null;
}

export async function ingestChunk(sql: Sql | Transaction, chunk: Chunk, now: Date): Promise<ChunkAnswer> {
  const [row] = await sql<[{ answer: ChunkAnswer }]>`
    select delivery.ingest_pull_chunk(
      ${chunk.workspaceId}, ${chunk.sourceId}, ${chunk.endpointId}, ${json(sql, chunk.items)},
      ${json(sql, chunk.prepared)}, ${chunk.runId}, ${now}) - 'items' as answer`;
  return { ...noStats, ...row.answer };
}

/** Stores a chunk of a leased run; undefined if another run has the lease now. */
export function ingestLeasedChunk(
  sql: Sql,
  source: LeasedSource,
  chunk: Pick<Chunk, "items" | "prepared">,
  now: Date,
): Promise<ChunkAnswer | undefined> {
  return untangled(() =>
    sql.begin(async (tx) => {
      const [row] = await tx<[{ kept: boolean }]>`
        select delivery.keep_source_lease(
          ${source.workspaceId}, ${source.sourceId}, ${source.runId},
          make_interval(secs => ${pullLimits.leaseSeconds}), ${now}) as kept`;
      return row.kept ? ingestChunk(tx, { ...source, ...chunk }, now) : undefined;
    }),
  );
}

const deadlock = "40P01";
const mostTries = 3;

/** Two sources with the same posts in different order can deadlock: one of them is retried. */
export async function untangled<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      const isDeadlock = error instanceof Error && "code" in error && error.code === deadlock;
      if (!isDeadlock || tries >= mostTries) throw error;
    }
  }
}

export type PullEnd =
  | {
      readonly kind: "done";
      readonly cursor: Cursor;
      readonly listed: boolean;
      readonly more: boolean;
      readonly stats: Readonly<Record<string, number | boolean>>;
    }
  | { readonly kind: "failed"; readonly failure: PullFailure }
  | { readonly kind: "interrupted" };

export async function finishPull(sql: Sql, source: LeasedSource, end: PullEnd, now: Date): Promise<void> {
  const told =
    end.kind === "failed"
      ? {
          kind: end.kind,
          error: { code: end.failure.code, message: end.failure.message },
          retry_after_ms: end.failure.retryAfterMs ?? 0,
        }
      : end;
  await sql`
    select delivery.finish_pull(
      ${source.workspaceId}, ${source.sourceId}, ${source.runId}, ${json(sql, told)}, ${now})`;
}

/** When the next source that this process could take is due. */
export async function nextPullAt(sql: Sql, { all, taken }: Places): Promise<Date | undefined> {
  const [row] = await sql<[{ at: Date | null }]>`
    select delivery.next_pull_at(${all}, ${workspacesOf(taken)}, ${runsOf(taken)}) as at`;
  return row.at ?? undefined;
}

const workspacesOf = (taken: readonly LeasedSource[]) => taken.map(({ workspaceId }) => workspaceId);
const runsOf = (taken: readonly LeasedSource[]) => taken.map(({ runId }) => runId);

/** Deletes receipts of items that no list can contain any more. */
export async function forgetPullReceipts(sql: Sql, now: Date): Promise<void> {
  await sql`select delivery.forget_pull_receipts(${now})`;
}

function json(sql: Sql | Transaction, value: unknown) {
  return sql.json(JSON.parse(JSON.stringify(value)));
}

function sourceOf(row: SourceRow): Source {
  return {
    workspaceId: row.workspace_id,
    sourceId: row.source_id,
    kind: row.kind,
    config: row.config_json,
    secretRef: row.secret_ref,
    endpointId: row.endpoint_id,
    cursor: row.cursor_json ?? {},
    forgottenUpTo: row.forgotten_up_to,
  };
}

function leasedOf(row: SourceRow): LeasedSource {
  if (!row.leased_by) throw new Error(`source ${row.source_id} came without its lease`);
  return { ...sourceOf(row), runId: row.leased_by };
}
