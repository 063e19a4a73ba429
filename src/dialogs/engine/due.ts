import type { EngineDeps } from "./deps.ts";

/**
 * The next time something is due without a notification: a postponed update, an expiring dialogue, a screen or work
 * whose process may have died. Uses inbox_waiting, dialogues_expiring, dialogues_unshown and dialogues_at_work.
 */
export async function nextDue<Services>({
  sql,
  key: { workspaceId, bot },
  clock,
}: EngineDeps<Services>): Promise<Date | null> {
  const now = clock.now();
  const mine = sql`workspace_id = ${workspaceId} and bot = ${bot}`;
  const [row] = await sql<[{ at: Date | null }]>`
    select least(
      (select min(coalesce(first.not_before, ${now})) from (
        select distinct on (chat_id) not_before from dialogs.inbox
        where ${mine} and done_at is null order by chat_id, update_id) first),
      (select min(expires_at) from dialogs.dialogues where ${mine} and expires_at is not null),
      (select min(coalesce(showing_until, ${now})) from dialogs.dialogues
       where ${mine} and shown_revision < revision and screen is not null),
      (select min(coalesce(work_until, ${now})) from dialogs.dialogues where ${mine} and work_id is not null)) as at`;
  return row.at;
}
