import type { Sql } from "../../kernel/db/index.ts";

/** Cancels deliveries that people have waited for too long. Returns their number. */
export async function stopWaiting(sql: Sql, now: Date): Promise<number> {
  const [{ count }] = await sql<[{ count: number }]>`select delivery.stop_waiting(${now}) as count`;
  return count;
}
