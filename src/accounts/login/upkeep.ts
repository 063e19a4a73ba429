import type { Sql } from "../../kernel/db/index.ts";

/** Sign-ins that nobody went on with, and what they stored. */
export async function forgetOldLogins(sql: Sql, now: Date): Promise<void> {
  await sql`select accounts.forget_logins(${now})`;
}
