-- Deliveries that waited longer than their channel's max_age end, or are held for a person, by the channel's setting.
create or replace function delivery.expire_stale(
  p_workspace_id uuid, p_channels uuid[], p_now timestamptz default now()
) returns int
language plpgsql as $$
declare
  v_count int;
begin
  if not exists (
    select from delivery.channels c
    where c.workspace_id = p_workspace_id and c.channel_id = any (p_channels) and c.max_age_seconds is not null
  ) then
    return 0;
  end if;
  with stale as materialized (
    select d.delivery_id, c.on_stale
    from delivery.channels c
    join delivery.deliveries d on d.workspace_id = c.workspace_id and d.channel_id = c.channel_id
      and d.status in ('queued', 'retry') and d.held_at is null and d.due_at <= p_now
      and delivery.is_stale(d.created_at, d.scheduled_for, c.max_age_seconds, p_now)
    where c.workspace_id = p_workspace_id and c.channel_id = any (p_channels) and c.max_age_seconds is not null
    limit 1000
    for update of d skip locked
  ),
  moved as (
    update delivery.deliveries d
    set status = case s.on_stale when 'drop' then 'failed_permanent' else d.status end,
        held_at = case s.on_stale when 'hold' then p_now end,
        hold_reason = case s.on_stale when 'hold' then 'stale' end,
        next_retry_at = case s.on_stale when 'drop' then null else d.next_retry_at end,
        last_error = case s.on_stale when 'drop' then jsonb_build_object(
          'category', 'PERMANENT', 'scope', 'delivery', 'code', 'stale_dropped',
          'message', 'the post was older than the channel takes when its turn came') else d.last_error end,
        updated_at = p_now
    from stale s
    where d.workspace_id = p_workspace_id and d.delivery_id = s.delivery_id
    returning d.delivery_id, d.message_id, d.channel_id, d.attempt, d.last_error, s.on_stale
  ),
  noted as (
    insert into workspaces.events (workspace_id, id, delivery_id, message_id, channel_id, ts, action, attempt, result, error, meta)
    select p_workspace_id, molva.uuidv7(p_now), m.delivery_id, m.message_id, m.channel_id, p_now,
      case m.on_stale when 'drop' then 'stale_dropped' else 'held' end, m.attempt,
      case m.on_stale when 'drop' then 'error' else 'ok' end,
      case m.on_stale when 'drop' then m.last_error end,
      case m.on_stale when 'drop' then '{}'::jsonb else '{"reason": "stale"}' end
    from moved m
  )
  select count(*) into v_count from moved;
  return v_count;
end
$$;
