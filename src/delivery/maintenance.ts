import type { Sql } from "../kernel/db/index.ts";

/** Makes the coming days' partitions of the audit trail. */
export async function prepareEventPartitions(sql: Sql, now: Date): Promise<void> {
  await sql`select delivery.ensure_event_partitions(7, ${now})`;
}

/** Forgets receipts that no repeat can meet any more. */
export async function forgetReceipts(sql: Sql, now: Date): Promise<void> {
  await sql`delete from delivery.ingress_receipts where expires_at < ${now}`;
}
