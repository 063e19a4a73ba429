import type { Sql } from "../../kernel/db/index.ts";
import type { Settlement, StartedDelivery } from "./started-delivery.ts";

/** The dispatcher's calls to the queue's functions, one each. */

/** Active workspaces with live deliveries, beginning after the one that began the round before. */
export async function nextWorkspaces(sql: Sql, now: Date): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`select id from delivery.next_workspaces(${now}) as id`;
  return rows.map(({ id }) => id);
}

/**
 * Gives slots to what waits, then starts what may be sent now or in a moment. Two transactions, because a row that its own transaction
 * has changed before has its foreign keys checked again when it is changed once more.
 */
export async function takeDeliveries(
  sql: Sql,
  workspaceId: string,
  runId: string,
  limit: number,
  now: Date,
): Promise<StartedDelivery[]> {
  await sql`select count(*) from delivery.claim_deliveries(${workspaceId}, ${runId}, ${limit}, ${now})`;
  return sql<StartedDelivery[]>`
    select ${workspaceId}::uuid as workspace_id, s.*
    from delivery.start_until(${workspaceId}, ${runId}, ${limit}, ${now}::timestamptz + delivery.start_lead(), ${now}) s`;
}

export interface Settled {
  readonly delivery_id: string;
  readonly applied: boolean;
  readonly status: string | null;
}

export async function settle(
  sql: Sql,
  workspaceId: string,
  batch: readonly Settlement[],
  now: Date,
): Promise<Settled[]> {
  return sql<Settled[]>`
    select delivery_id, applied, status
    from delivery.settle_deliveries(${workspaceId}, ${JSON.stringify(batch, storable)}::text::jsonb, ${now})`;
}

/** Providers may say anything; jsonb takes neither NUL nor half of a surrogate pair. */
function storable(_key: string, value: unknown): unknown {
  return typeof value === "string" ? value.toWellFormed().replaceAll("\0", "") : value;
}

/** When the workspace has something to do next; null when nothing of it waits. */
export async function nextDueAt(sql: Sql, workspaceId: string, now: Date): Promise<Date | null> {
  const [row] = await sql<[{ due: Date | null }]>`select delivery.next_due_at(${workspaceId}, ${now}) as due`;
  return row.due;
}

export async function saveProgress(
  sql: Sql,
  delivery: StartedDelivery,
  index: number,
  providerMessageId: string,
): Promise<void> {
  await sql`
    select delivery.save_progress(
      ${delivery.workspace_id}, ${delivery.delivery_id}, ${delivery.claim_token}, ${index}, ${providerMessageId})`;
}

/** Takes the next slot of the delivery's channel and group for one more request, and says when it comes. */
export async function takeTurn(sql: Sql, delivery: StartedDelivery, now: Date): Promise<Date> {
  const [row] = await sql<[{ turn: Date }]>`
    select delivery.take_turn(${delivery.workspace_id}, ${delivery.channel_id}, ${now}) as turn`;
  return row.turn;
}

/** Which of these messages of the provider are on record as another delivery's of the same channel. */
export async function takenMessages(
  sql: Sql,
  { workspace_id, channel_id, delivery_id, created_at }: StartedDelivery,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  // Nothing that looks like this delivery can have been sent before it was made; the rest is for clocks that differ.
  const since = new Date(created_at.getTime() - 60_000);
  const rows = await sql<{ id: string }[]>`
    select id from delivery.taken_messages(${workspace_id}, ${channel_id}, ${delivery_id}, ${[...ids]}, ${since}) as id`;
  return new Set(rows.map(({ id }) => id));
}
