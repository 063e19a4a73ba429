import type { Sql } from "../../kernel/db/index.ts";

/** Creates the partitions of the audit trail for the coming days. */
export async function prepareEventPartitions(sql: Sql, now: Date): Promise<void> {
  await sql`select workspaces.ensure_event_partitions(7, ${now})`;
}
