import type { Sql } from "../kernel/db/index.ts";

/** Deletes old tasks, planned days and publications. */
export async function forgetOldPublications(sql: Sql, now: Date): Promise<void> {
  await sql`select accounts.forget_old(${now})`;
}

/** Cancels expired sign-ins, and later deletes them with what they stored. */
export async function forgetOldLogins(sql: Sql, now: Date): Promise<void> {
  await sql`select accounts.forget_logins(${now})`;
}
