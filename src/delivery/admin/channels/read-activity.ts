import type { Sql } from "../../../kernel/db/index.ts";
import type { Channel, ChannelActivity, ChannelWithActivity } from "./channel-shape.ts";

type Row = ChannelActivity & { readonly channel_id: string };

/** The channels, each with what happens there now. */
export async function withActivity(
  sql: Sql,
  workspaceId: string,
  channels: readonly Channel[],
  now: Date,
): Promise<ChannelWithActivity[]> {
  const rows = await activities(
    sql,
    workspaceId,
    channels.map(({ channel_id }) => channel_id),
    now,
  );
  const known = new Map(rows.map(({ channel_id, ...activity }) => [channel_id, activity]));
  return channels.map((channel) => {
    const activity = known.get(channel.channel_id);
    return activity ? { ...channel, activity } : channel;
  });
}

/** Waiting deliveries come by deliveries_inflight, the last sent one by deliveries_ended, so a long history costs nothing. */
async function activities(
  sql: Sql,
  workspaceId: string,
  channelIds: readonly string[],
  now: Date,
): Promise<Row[]> {
  if (channelIds.length === 0) return [];
  const rows = await sql<(Omit<Row, "stop"> & Stop)[]>`
    select c.channel_id, w.waiting, w.held, w.next_due_at, delivery.channel_block(c, ${now}) as block,
      l.sent_at as last_sent_at, s.since, s.stopped_by, s.operator, s.reason, s.help
    from delivery.channels c
    cross join lateral (
      select count(*)::int as waiting, (count(*) filter (where d.held_at is not null))::int as held,
        min(d.due_at) filter (where d.held_at is null) as next_due_at
      from delivery.deliveries d
      where d.workspace_id = c.workspace_id and d.channel_id = c.channel_id
        and d.status in ('queued', 'claimed', 'sending', 'retry')) w
    left join lateral (
      select d.sent_at from delivery.deliveries d
      where d.workspace_id = c.workspace_id and d.channel_id = c.channel_id
        and (d.status in ('sent', 'deduped', 'failed_permanent', 'dead')) is true and d.status = 'sent'
      order by d.delivery_id desc
      limit 1) l on true
    left join lateral delivery.channel_stop(c, ${now}) s on not c.enabled or c.paused_until > ${now}
    where c.workspace_id = ${workspaceId} and c.channel_id = any (${[...channelIds]})`;
  return rows.map(({ since, stopped_by, operator, reason, help, ...row }) => ({
    ...row,
    stop: help ? { since, by: stopped_by, operator, reason, help } : null,
  }));
}

interface Stop {
  readonly since: Date | null;
  readonly stopped_by: "refusals" | "operator" | null;
  readonly operator: string | null;
  readonly reason: string | null;
  /** null: the channel is not stopped. */
  readonly help: string | null;
}
