create or replace function delivery.switch_channels(
  p_workspace_id uuid, p_channel_ids uuid[], p_enabled boolean, p_operator text, p_reason text, p_meta jsonb,
  p_now timestamptz default now()
) returns int
language plpgsql as $$
declare
  v_switched uuid[];
begin
  -- In the dispatcher's order of locking.
  perform from delivery.channels
  where workspace_id = p_workspace_id and channel_id = any (p_channel_ids)
  order by channel_id
  for update;
  with switched as (
    update delivery.channels
    set enabled = p_enabled,
        paused_until = case when p_enabled then null else paused_until end,
        error_streak = case when p_enabled then 0 else error_streak end,
        updated_at = p_now
    where workspace_id = p_workspace_id and channel_id = any (p_channel_ids)
    returning channel_id
  )
  select coalesce(array_agg(channel_id order by channel_id), '{}') into v_switched from switched;
  perform workspaces.note_change(p_workspace_id, channel_id,
    case when p_enabled then 'channel_enabled' else 'channel_disabled' end, p_operator, p_reason,
    p_meta || '{"manual": true}', p_now)
  from unnest(v_switched) as channel_id;
  if p_enabled then
    perform pg_notify('molva_deliveries', p_workspace_id::text);
  end if;
  return cardinality(v_switched);
end
$$;
