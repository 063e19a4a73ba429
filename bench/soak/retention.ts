import type { Sql } from "../../src/kernel/db/index.ts";

/** How long things are kept. The product's own retention counts in whole days, which no soak lasts. */
const kept = "3 minutes";

/** Deletes old rows, in the order of the product's retention: a message after its deliveries. */
export async function forgetOld(sql: Sql, workspaceId: string): Promise<void> {
  await sql`delete from delivery.ingress_receipts where workspace_id = ${workspaceId} and received_at < now() - ${kept}::interval`;
  await sql`delete from workspaces.events where workspace_id = ${workspaceId} and ts < now() - ${kept}::interval`;
  await sql`
    delete from delivery.deliveries
    where workspace_id = ${workspaceId} and created_at < now() - ${kept}::interval
      and status in ('sent', 'failed_permanent', 'dead')`;
  await sql`
    delete from delivery.messages m
    where m.workspace_id = ${workspaceId} and m.created_at < now() - ${kept}::interval
      and not exists (
        select from delivery.deliveries d where d.workspace_id = m.workspace_id and d.message_id = m.message_id)`;
  await sql`delete from delivery.ingest_runs where workspace_id = ${workspaceId} and started_at < now() - ${kept}::interval`;
}
