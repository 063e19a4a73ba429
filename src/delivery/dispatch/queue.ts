import type { Sql } from "../../kernel/db/index.ts";
import type { CorrectionSettlement } from "../corrections/corrections-queue.ts";
import type { Settlement, StartedDelivery } from "./started-delivery.ts";

/** The dispatcher's calls of the queue's SQL functions. */

/** Active workspaces with live deliveries, starting after the one that was first in the previous round. */
export async function nextWorkspaces(sql: Sql, now: Date): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`select id from delivery.next_workspaces(${now}) as id`;
  return rows.map(({ id }) => id);
}

/**
 * Gives slots to waiting deliveries and returns their number. Commits asynchronously: if a database crash undoes a claim,
 * nothing has been sent yet.
 */
export async function claimDeliveries(
  sql: Sql,
  workspaceId: string,
  runId: string,
  limit: number,
  now: Date,
): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int, set_config('synchronous_commit', 'off', true)
    from delivery.claim_deliveries(${workspaceId}, ${runId}, ${limit}, ${now})`;
  return row.count;
}

/** Starts claimed deliveries that may be sent now or very soon. */
export async function startDeliveries(
  sql: Sql,
  workspaceId: string,
  runId: string,
  limit: number,
  now: Date,
): Promise<StartedDelivery[]> {
  return sql<StartedDelivery[]>`
    select * from delivery.start_until(
      ${workspaceId}, ${runId}, ${limit}, ${now}::timestamptz + delivery.start_lead(), ${now})`;
}

/** How many deliveries ended in a status; a null status counts those that another process had taken over. */
export interface SettledCount {
  readonly status: string | null;
  readonly count: number;
  readonly delivery_ids: readonly string[];
}

export async function settle(
  sql: Sql,
  workspaceId: string,
  batch: readonly Settlement[],
  now: Date,
): Promise<SettledCount[]> {
  return sql<SettledCount[]>`
    select status, count(*)::int, coalesce(array_agg(delivery_id) filter (where not applied), '{}') as delivery_ids
    from delivery.settle_deliveries(${workspaceId}, ${storableJson(batch)}::text::jsonb, ${now})
    group by status`;
}

/** The same for corrections. */
export async function settleCorrections(
  sql: Sql,
  workspaceId: string,
  batch: readonly CorrectionSettlement[],
  now: Date,
): Promise<SettledCount[]> {
  return sql<SettledCount[]>`
    select status, count(*)::int, coalesce(array_agg(delivery_id) filter (where not applied), '{}') as delivery_ids
    from delivery.settle_corrections(${workspaceId}, ${storableJson(batch)}::text::jsonb, ${now})
    group by status`;
}

/** Providers may answer anything; jsonb takes neither NUL nor half of a surrogate pair. Hardly any answer has them. */
function storableJson(batch: readonly unknown[]): string {
  const json = JSON.stringify(batch);
  return /\\u(0000|d[89a-f])/.test(json) ? JSON.stringify(batch, storable) : json;
}

function storable(_key: string, value: unknown): unknown {
  return typeof value === "string" ? value.toWellFormed().replaceAll("\0", "") : value;
}

/** When the workspace has something to claim next; null if only an event can bring it. */
export async function nextClaimAt(sql: Sql, workspaceId: string, now: Date): Promise<Date | null> {
  const [row] = await sql<[{ at: Date | null }]>`select delivery.next_claim_at(${workspaceId}, ${now}) as at`;
  return row.at;
}

/** When the workspace has something to start next. */
export async function nextStartAt(sql: Sql, workspaceId: string, now: Date): Promise<Date | null> {
  const [row] = await sql<[{ at: Date | null }]>`select delivery.next_start_at(${workspaceId}, ${now}) as at`;
  return row.at;
}

/** False if another process has taken over the delivery. */
export async function saveProgress(
  sql: Sql,
  delivery: StartedDelivery,
  index: number,
  providerMessageId: string,
): Promise<boolean> {
  const [row] = await sql<[{ saved: boolean }]>`
    select delivery.save_progress(
      ${delivery.workspace_id}, ${delivery.delivery_id}, ${delivery.claim_token}, ${index}, ${providerMessageId}) as saved`;
  return row.saved;
}

/** When one more request may be sent, or when to ask for it again. */
export interface Turn {
  readonly granted: boolean;
  readonly at: Date;
  /** The provider wants the whole group to wait. */
  readonly cooling: boolean;
}

/** Asks for permission for one more request of the delivery; undefined if another process has taken the delivery over. */
export async function takeTurn(sql: Sql, delivery: StartedDelivery, now: Date): Promise<Turn | undefined> {
  const [turn] = await sql<Turn[]>`
    select * from delivery.take_turn(${delivery.workspace_id}, ${delivery.delivery_id}, ${delivery.claim_token}, ${now})`;
  return turn;
}

/** Holds the lock that shows that this run is alive, for as long as the connection lives. */
export async function joinRun(connection: Sql, runId: string, now: Date): Promise<void> {
  await connection`select delivery.join_run(${runId}, ${now})`;
}

/** Takes over the deliveries of dead dispatchers and returns their number. */
export async function recoverRuns(
  sql: Sql,
  sendTimeoutSeconds: number,
  now: Date,
): Promise<{ sending: number; claimed: number }> {
  const [row] = await sql<[{ sending: number; claimed: number }]>`
    select count(*) filter (where was = 'sending')::int as sending, count(*) filter (where was = 'claimed')::int as claimed
    from delivery.recover_runs(make_interval(secs => ${sendTimeoutSeconds}), ${now})`;
  if (row.sending + row.claimed > 0) await sql`select pg_notify('molva_deliveries', '')`;
  return row;
}

/** Which of these provider messages are recorded for another delivery of the same channel. */
export async function takenMessages(
  sql: Sql,
  { workspace_id, channel_id, delivery_id, created_at }: StartedDelivery,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  // Nothing that looks like this delivery can have been sent before it was created; the minute allows for clocks that differ.
  const since = new Date(created_at.getTime() - 60_000);
  const rows = await sql<{ id: string }[]>`
    select id from delivery.taken_messages(${workspace_id}, ${channel_id}, ${delivery_id}, ${[...ids]}, ${since}) as id`;
  return new Set(rows.map(({ id }) => id));
}
