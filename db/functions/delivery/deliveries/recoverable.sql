-- Deliveries that failed since then and may be sent again: dead, or refused by their channel or the platform. A person
-- decides one by one about those that failed because of their own content, were cancelled, became too old or may have
-- arrived; and about those whose product was told, because it has given its user a refund. Oldest first, so that they are
-- sent in their order. Found through events_by_action; each delivery by its key.
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
  where not delivery.is_promised(d) and (d.status = 'dead' or delivery.was_refused(d)) and delivery.repeat_refusal(d, p_now) is null
    -- However long ago: a post that arrived by another delivery is not sent again automatically.
    and not exists (
      select from delivery.deliveries o
      where o.workspace_id = p_workspace_id and o.message_id = d.message_id and o.channel_id = d.channel_id
        and o.sent_at >= d.created_at)
  order by d.created_at, d.delivery_id
  limit p_limit
$$;
