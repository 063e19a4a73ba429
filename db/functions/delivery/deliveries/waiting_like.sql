-- Waiting deliveries that match a filter, those due first at the beginning: everything that an operator can still cancel.
-- Null for a part of the filter matches anything. Tags are those of the post, and one match is enough; `p_states` are
-- statuses, or 'held'. Uses deliveries_inflight, which holds only live deliveries.
create or replace function delivery.waiting_like(
  p_workspace_id   uuid,
  p_channels       uuid[],
  p_tags           text[],
  p_states         text[],
  p_endpoints      uuid[],
  p_created_after  timestamptz,
  p_created_before timestamptz,
  p_limit          int
) returns table (delivery_id uuid, channel_id uuid)
language sql stable
set plan_cache_mode = force_custom_plan
as $$
  select d.delivery_id, d.channel_id
  from delivery.deliveries d
  where d.workspace_id = p_workspace_id and d.status in ('queued', 'claimed', 'sending', 'retry') and d.status <> 'sending'
    and (p_channels is null or d.channel_id = any (p_channels))
    and (p_states is null or d.status = any (p_states) or (d.held_at is not null and 'held' = any (p_states)))
    and (p_created_after is null or d.created_at >= p_created_after)
    and (p_created_before is null or d.created_at < p_created_before)
    and ((p_tags is null and p_endpoints is null) or exists (
      select from delivery.messages m
      where m.workspace_id = p_workspace_id and m.message_id = d.message_id
        and (p_tags is null or m.tags && delivery.filter_tags(jsonb_build_object('tags', p_tags), 'tags'))
        and (p_endpoints is null or (m.source ->> 'endpoint_id')::uuid = any (p_endpoints))))
  order by d.due_at, d.delivery_id
  limit p_limit
$$;
