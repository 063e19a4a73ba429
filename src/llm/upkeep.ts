import type { Sql } from "../kernel/db/index.ts";

/** Ends calls of dead processes, and deletes what no report needs any more. */
export async function llmUpkeep(sql: Sql, now: Date): Promise<void> {
  await sql`select llm.expire_all_calls(${now})`;
  await sql`select llm.forget_old_calls('400 days', ${now})`;
}
