import type { Sql, Transaction } from "../../kernel/db/index.ts";

/** Copies what bots have published into the accounts' history. Idempotent. */
export async function keepBotHistory(
  sql: Sql | Transaction,
  workspaceId: string,
  { objectId, now }: { objectId?: string; now: Date },
): Promise<void> {
  await sql`
    with sent as (
      insert into accounts.history (workspace_id, queue_id, object_id, chat_id, published_at, message_id)
      select b.workspace_id, d.delivery_id, b.object_id, b.chat_id, d.sent_at, coalesce(d.provider_message_id, '')
      from accounts.bot_posts b
      join delivery.deliveries d on d.workspace_id = b.workspace_id and d.message_id = b.message_id and d.channel_id = b.channel_id
      where b.workspace_id = ${workspaceId} ${objectId ? sql`and b.object_id = ${objectId}` : sql``}
        -- Uses bot_posts_by_time; what is older has long been taken over.
        and b.created_at > ${now}::timestamptz - interval '14 days' and d.status = 'sent'
      on conflict (workspace_id, queue_id) do nothing
      returning chat_id, published_at
    )
    update accounts.chats c
    set published_count = c.published_count + s.count, last_published_at = greatest(c.last_published_at, s.last)
    from (select chat_id, count(*) as count, max(published_at) as last from sent group by chat_id) s
    where c.workspace_id = ${workspaceId} and c.id = s.chat_id`;
}
