import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";

/** Deletes expired sessions, links and attempts. */
export async function forgetExpired(sql: Sql, { clock }: { clock: Clock }): Promise<void> {
  const now = clock.now();
  await sql`delete from molva.sessions where expires_at <= ${now}`;
  await sql`delete from molva.signin_links where expires_at <= ${now}`;
  await sql`delete from molva.signin_attempts where window_ends_at <= ${now}`;
}
