-- The rate limit of one channel and its group for one request. A request that may be sent now or within `p_lead` gets its
-- time, at the required distance from the previous requests of the channel and the group, and uses one slot of each; for a
-- later one the result says when to ask again, and whether the group is in a cooldown until then.
create or replace function delivery.channel_turn(
  p_workspace_id uuid, p_channel_id uuid, p_lead interval, p_now timestamptz default now(),
  out granted boolean, out at timestamptz, out cooling boolean
)
language plpgsql as $$
declare
  v_channel delivery.channels;
  v_group   delivery.platform_limits;
begin
  select g.* into v_group from delivery.platform_limits g
  join delivery.channels c using (workspace_id, platform, rate_group)
  where c.workspace_id = p_workspace_id and c.channel_id = p_channel_id
  for no key update of g;
  select * into v_channel from delivery.channels c
  where c.workspace_id = p_workspace_id and c.channel_id = p_channel_id
  for no key update;

  at := greatest(p_now, v_group.cooldown_until,
    case when v_channel.rate_rps > 0 then v_channel.last_started_at + delivery.start_gap(v_channel.rate_rps) end,
    case when v_group.rate_rps > 0 then v_group.last_started_at + delivery.start_gap(v_group.rate_rps) end);
  granted := at <= p_now + p_lead;
  if not granted then
    at := at - p_lead;
    cooling := coalesce(v_group.cooldown_until, p_now) > p_now;
    return;
  end if;
  cooling := false;
  update delivery.platform_limits g
  set last_started_at = channel_turn.at, updated_at = p_now,
      next_allowed_at = greatest(p_now, coalesce(g.next_allowed_at, p_now)) + interval '1 second' / g.rate_rps::float8
  where g.workspace_id = p_workspace_id and g.platform = v_group.platform and g.rate_group = v_group.rate_group
    and g.rate_rps > 0;
  update delivery.channels c
  set last_started_at = channel_turn.at,
      next_allowed_at = greatest(p_now, coalesce(c.next_allowed_at, p_now)) + interval '1 second' / c.rate_rps::float8
  where c.workspace_id = p_workspace_id and c.channel_id = p_channel_id and c.rate_rps > 0;
end
$$;
