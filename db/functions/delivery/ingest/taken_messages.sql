-- Which of these provider messages are recorded for other deliveries of the channel, among those sent since `p_since`. Reads
-- the channel's newest events (events_by_channel) and the deliveries in progress (deliveries_inflight), because an extra
-- index would cost every write and is needed only when an answer was lost.
create or replace function delivery.taken_messages(
  p_workspace_id uuid, p_channel_id uuid, p_delivery_id uuid, p_ids text[], p_since timestamptz
) returns setof text
language plpgsql stable
set plan_cache_mode = force_custom_plan
as $$
begin
  return query
  with recent as (
    select e.delivery_id from workspaces.events e
    where e.workspace_id = p_workspace_id and e.channel_id = p_channel_id and e.ts >= p_since and e.action = 'sent'
    union
    select d.delivery_id from delivery.deliveries d
    where d.workspace_id = p_workspace_id and d.channel_id = p_channel_id
      and d.status in ('queued', 'claimed', 'sending', 'retry') and d.render_meta ? 'series_progress'
  )
  select distinct known.id
  from recent r
  join delivery.deliveries d on d.workspace_id = p_workspace_id and d.delivery_id = r.delivery_id
  cross join lateral (
    select d.provider_message_id
    union all
    select part ->> 'id' from jsonb_path_query(d.provider_meta, '$.raw.messages[*]') as part
    union all
    select part #>> '{}' from jsonb_path_query(d.render_meta, '$.series_progress.provider_message_ids[*]') as part
  ) as known (id)
  where r.delivery_id <> p_delivery_id and known.id = any (p_ids)
  union
  -- Sent by an adapter's caller, without a delivery.
  select e.meta ->> 'provider_message_id' from workspaces.events e
  where e.workspace_id = p_workspace_id and e.channel_id = p_channel_id and e.ts >= p_since and e.action = 'sent'
    and e.delivery_id is null and e.meta ->> 'provider_message_id' = any (p_ids);
end
$$;
