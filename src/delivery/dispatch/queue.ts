import type { Sql } from "../../kernel/db/index.ts";
import type { Settlement, StartedDelivery } from "./started-delivery.ts";

/** The dispatcher's calls to the queue's functions, one each. */

/** Workspaces that have something claimable or due, beginning after the one that was served first last time. */
export async function activeWorkspaces(sql: Sql, now: Date): Promise<string[]> {
  const rows = await sql<
    { workspace_id: string }[]
  >`select workspace_id from delivery.next_workspaces(${now})`;
  return rows.map(({ workspace_id }) => workspace_id);
}

export async function claim(
  sql: Sql,
  workspaceId: string,
  runId: string,
  limit: number,
  now: Date,
): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int from delivery.claim_deliveries(${workspaceId}, ${runId}, ${limit}, ${now})`;
  return row.count;
}

export async function startSending(
  sql: Sql,
  workspaceId: string,
  runId: string,
  limit: number,
  now: Date,
): Promise<StartedDelivery[]> {
  return sql<StartedDelivery[]>`
    select ${workspaceId}::uuid as workspace_id, s.*
    from delivery.start_sending(${workspaceId}, ${runId}, ${limit}, ${now}) s`;
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
  const outcomes = JSON.parse(JSON.stringify(batch));
  return sql<Settled[]>`
    select delivery_id, applied, status from delivery.settle_deliveries(${workspaceId}, ${sql.json(outcomes)}, ${now})`;
}

export async function nextDueAt(sql: Sql, now: Date): Promise<Date | null> {
  const [row] = await sql<[{ due: Date | null }]>`select delivery.next_due_at(${now}) as due`;
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
