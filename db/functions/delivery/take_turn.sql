-- The gate for requests beyond the first within one delivery (album parts, series, uploads): takes the channel's and the
-- group's next slot, as a claim would, and answers when the request may go out.
create or replace function delivery.take_turn(
  p_workspace_id uuid, p_channel_id uuid, p_now timestamptz default now()
) returns timestamptz
language plpgsql as $$
declare
  v_channel delivery.channels;
  v_group   delivery.platform_limits;
  v_turn    timestamptz := p_now;
begin
  select * into v_channel from delivery.channels c
  where c.workspace_id = p_workspace_id and c.channel_id = p_channel_id;
  -- Groups before channels: the order of all locks.
  update delivery.platform_limits g
  set next_allowed_at = greatest(p_now, coalesce(g.next_allowed_at, p_now)) + interval '1 second' / g.rate_rps::float8,
      updated_at = p_now
  where g.workspace_id = p_workspace_id and g.platform = v_channel.platform and g.rate_group = v_channel.rate_group
    and g.rate_rps > 0
  returning * into v_group;
  if found then
    v_turn := greatest(v_turn, v_group.next_allowed_at - interval '1 second' / v_group.rate_rps::float8);
  end if;
  select greatest(v_turn, g.cooldown_until) into v_turn from delivery.platform_limits g
  where g.workspace_id = p_workspace_id and g.platform = v_channel.platform and g.rate_group = v_channel.rate_group;
  v_turn := coalesce(v_turn, p_now);
  update delivery.channels c
  set next_allowed_at = greatest(v_turn, coalesce(c.next_allowed_at, v_turn), c.last_started_at + delivery.start_gap(c.rate_rps))
                        + interval '1 second' / c.rate_rps::float8,
      last_started_at = greatest(v_turn, coalesce(c.next_allowed_at, v_turn), c.last_started_at + delivery.start_gap(c.rate_rps))
  where c.workspace_id = p_workspace_id and c.channel_id = p_channel_id and c.rate_rps > 0
  returning c.last_started_at into v_channel.last_started_at;
  return case when found then v_channel.last_started_at else v_turn end;
end
$$;
