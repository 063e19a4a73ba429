import type { Sql } from "../../src/kernel/db/index.ts";
import { postText } from "./posts.ts";

/** Posts for every channel of a workspace, straight into the tables: how they came there is not what is measured. */
export async function fillQueue(sql: Sql, workspaceId: string, posts: number): Promise<void> {
  await sql`
    insert into delivery.messages (workspace_id, content_hash, payload)
    select ${workspaceId}, md5(n::text), jsonb_build_object('type', 'text', 'text', n || ${postText(0)}::text)
    from generate_series(1, ${posts}::int) n`;
  await sql`
    insert into delivery.deliveries (workspace_id, message_id, channel_id, hash_version, content_hash, status, rendered_text, render_meta)
    select ${workspaceId}, m.message_id, c.channel_id, 1, m.content_hash, 'queued', m.payload ->> 'text',
      jsonb_build_object('compiled', jsonb_build_object(
        'platform', 'telegram',
        'requests', jsonb_build_array(jsonb_build_object(
          'method', 'sendMessage', 'text', null, 'body', jsonb_build_object('text', null)))))
    from delivery.messages m cross join delivery.channels c
    where m.workspace_id = ${workspaceId} and c.workspace_id = ${workspaceId}`;
}
