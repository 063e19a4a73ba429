import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";

/** How long a second factor may wait to be confirmed. */
const unconfirmedMs = 24 * 60 * 60 * 1000;

/** Deletes expired sessions, links, invitations, challenges and attempts, and second factors that nobody confirmed. */
export async function forgetExpired(sql: Sql, { clock }: { clock: Clock }): Promise<void> {
  const now = clock.now();
  await sql`delete from molva.sessions where expires_at <= ${now}`;
  await sql`delete from molva.signin_links where expires_at <= ${now}`;
  await sql`delete from molva.invitations where expires_at <= ${now}`;
  await sql`delete from molva.signin_challenges where expires_at <= ${now}`;
  await sql`
    delete from molva.second_factors
    where confirmed_at is null and created_at <= ${new Date(now.getTime() - unconfirmedMs)}
  `;
  await sql`delete from molva.signin_attempts where window_ends_at <= ${now}`;
}
