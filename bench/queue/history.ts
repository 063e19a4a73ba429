import type { Sql } from "../../src/kernel/db/index.ts";
import { type Harness, prepareHarness } from "../shared/molva.ts";
import { postText } from "../shared/posts.ts";

export interface History {
  readonly deliveries: number;
  /** Channels besides the ones that take the posts. */
  readonly otherChannels: number;
}

/** Five days of finished work of all channels: messages, deliveries that were sent, and the event of each. */
export async function prepareHistory(
  databaseUrl: string,
  channels: number,
  { deliveries, otherChannels }: History,
  connections: number,
): Promise<Harness> {
  const harness = await prepareHarness(databaseUrl, channels, connections);
  const { sql, workspaceId } = harness;
  await sql`
    insert into delivery.channels (workspace_id, platform, target_id, auth_ref, rate_group, rate_rps, route_filter)
    select ${workspaceId}, 'telegram', '-200' || n, 'bench', 'bench', null, '{"include_any": ["elsewhere"]}'
    from generate_series(1, ${otherChannels}::int) n`;
  await sql`select workspaces.ensure_event_partitions(1, now() - interval '5 days')`;
  await sql`select workspaces.ensure_event_partitions(1, now() - interval '2 days')`;

  const rows = await sql<{ id: string }[]>`
    select channel_id as id from delivery.channels where workspace_id = ${workspaceId} order by random()`;
  const channelIds = rows.map(({ id }) => id);
  const messages = Math.ceil(deliveries / channels);
  const chunk = 2_500;
  for (let first = 0; first < messages; first += chunk)
    await writeChunk(
      sql,
      workspaceId,
      channelIds,
      channels,
      first,
      Math.min(chunk, messages - first),
      messages,
    );
  await sql`vacuum analyze`;
  return harness;
}

/**
 * Written straight into the tables: the functions would take an hour. Triggers and keys are off; the rows are known to
 * be valid.
 */
async function writeChunk(
  sql: Sql,
  workspaceId: string,
  channelIds: readonly string[],
  channels: number,
  first: number,
  count: number,
  all: number,
): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`set local synchronous_commit = off`;
    await tx`
      create temp table post on commit drop as
      select n, molva.uuidv7(at) as message_id, at, md5(n::text) || md5((-n)::text) as hash
      from generate_series(${first}::int, ${first + count - 1}::int) n,
        lateral (select now() - interval '5 days' + n * (interval '4 days' / ${all}::int) as at)`;
    await tx`
      insert into delivery.messages (workspace_id, message_id, content_hash, payload, last_seen_at, created_at)
      select ${workspaceId}, message_id, hash, jsonb_build_object('type', 'text', 'text', ${postText(0)}::text), at, at
      from post`;
    await tx`
      create temp table done on commit drop as
      select molva.uuidv7(p.at) as delivery_id, p.message_id, p.hash, p.at,
        (${channelIds}::uuid[])[1 + (p.n * ${channels} + way) % ${channelIds.length}] as channel_id
      from post p cross join generate_series(0, ${channels - 1}::int) as way`;
    await tx`
      insert into delivery.deliveries (
        workspace_id, delivery_id, message_id, channel_id, hash_version, content_hash, not_before, status, attempt,
        provider_message_id, sent_at, rendered_text, created_at, updated_at)
      select ${workspaceId}, delivery_id, message_id, channel_id, 1, hash, at, 'sent', 1, '1', at, ${postText(0)}, at, at
      from done`;
    await tx`
      insert into workspaces.events (workspace_id, id, delivery_id, message_id, channel_id, ts, action, attempt, result, meta)
      select ${workspaceId}, molva.uuidv7(at), delivery_id, message_id, channel_id, at, 'sent', 1, 'ok',
        '{"provider_message_id": "1"}'
      from done`;
  });
}
