import type { Sql } from "../kernel/db/index.ts";

/** Forgets what nobody looks at any more. */
export async function forgetOldPublications(sql: Sql, now: Date): Promise<void> {
  await sql`select accounts.forget_old(${now})`;
}
