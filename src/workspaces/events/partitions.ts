import type { Sql } from "../../kernel/db/index.ts";

/** Makes the coming days' partitions of the audit trail. */
export async function prepareEventPartitions(sql: Sql, now: Date): Promise<void> {
  await sql`select workspaces.ensure_event_partitions(7, ${now})`;
}
