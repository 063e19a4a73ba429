-- What failed since then and may be sent again: dead, or turned away by its channel or the platform. What failed for a fault of
-- its own, was called off, grew too old or may have arrived is a person's to decide, one by one. The oldest first, so that they
-- leave in their order. Found through events_by_action; each delivery by its key.
create or replace function delivery.recoverable(
  p_workspace_id uuid, p_since timestamptz, p_channels uuid[], p_limit int, p_now timestamptz default now()
) returns setof delivery.deliveries
language sql stable
set plan_cache_mode = force_custom_plan
as $$
  select d.*
  from (
    select distinct e.delivery_id from workspaces.events e
    where e.workspace_id = p_workspace_id and e.action in ('failed_permanent', 'dead_letter') and e.ts >= p_since
      and (p_channels is null or e.channel_id = any (p_channels))
  ) f
  join delivery.deliveries d on d.workspace_id = p_workspace_id and d.delivery_id = f.delivery_id
  where (d.status = 'dead' or delivery.was_refused(d)) and delivery.repeat_refusal(d, p_now) is null
    -- However long ago: what came by another delivery does not come again unasked.
    and not exists (
      select from delivery.deliveries o
      where o.workspace_id = p_workspace_id and o.message_id = d.message_id and o.channel_id = d.channel_id
        and o.sent_at >= d.created_at)
  order by d.created_at, d.delivery_id
  limit p_limit
$$;
