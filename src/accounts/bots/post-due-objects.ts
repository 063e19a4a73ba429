import type { Log } from "../../kernel/log/index.ts";
import { keepBotHistory } from "./bot-history.ts";
import { botTime } from "./bot-window.ts";
import { type BotStreamDeps, postObject } from "./post-object.ts";

/**
 * The bots' part of the daily plan: posts every object that is published through bots to the chats that have not had it today.
 * Safe to run at any time; nothing is posted outside the window.
 */
export async function postDueObjects(deps: BotStreamDeps & { readonly log: Log }): Promise<number> {
  const { sql, clock, log } = deps;
  const now = clock.now();
  const { at, day } = botTime(now);
  const workspaces = await sql<{ workspace_id: string }[]>`
    select distinct p.workspace_id from accounts.autopublish p
    join workspaces.workspaces w on w.workspace_id = p.workspace_id and w.status = 'active'
    where p.bot_enabled`;
  let posted = 0;
  for (const { workspace_id } of workspaces) {
    await keepBotHistory(sql, workspace_id, { now });
    if (at > now) continue;
    const due = await sql<{ object_id: string }[]>`
      select p.object_id from accounts.autopublish p
      join accounts.objects o on o.workspace_id = p.workspace_id and o.id = p.object_id and o.archived_at is null
      where p.workspace_id = ${workspace_id} and p.enabled and p.bot_enabled and exists (
        select from accounts.chats c
        where c.workspace_id = p.workspace_id and c.owner_type = 'bot' and c.is_active and not exists (
          select from accounts.bot_posts b
          where b.workspace_id = c.workspace_id and b.object_id = p.object_id and b.chat_id = c.id and b.day = ${day}::date))
      order by p.created_at, p.object_id`;
    for (const { object_id } of due)
      try {
        posted += (await postObject(deps, workspace_id, object_id)).chats;
      } catch (error) {
        // One failing object must not block the others; the next run retries it.
        log.error({ err: error, object_id }, "an object could not be posted through bots");
      }
  }
  return posted;
}
