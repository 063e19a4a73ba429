-- A delivery's place among those that wait with it, and the time at which the pace of its channel and its group lets it go.
-- `ahead` come before it in its channel, `group_ahead` in all channels of its rate group, each of which gets one turn per
-- round; `claimed_ahead` of its channel already have slots. Slots in the past are still used one by one. Reads only ranges of
-- deliveries_waiting and deliveries_claimed; called for one delivery at a time.
create or replace function delivery.queue_place(
  p_delivery delivery.deliveries, p_channel delivery.channels, p_now timestamptz default now(),
  out ahead bigint, out group_ahead bigint, out claimed_ahead bigint, out turn_at timestamptz
)
language plpgsql stable as $$
declare
  v_claimed constant boolean := p_delivery.status = 'claimed';
  v_gap     constant interval := case when p_channel.rate_rps > 0 then delivery.start_gap(p_channel.rate_rps) end;
  v_group   delivery.platform_limits;
begin
  select count(*) into claimed_ahead from delivery.deliveries d
  where d.workspace_id = p_delivery.workspace_id and d.channel_id = p_delivery.channel_id and d.status = 'claimed'
    and (not v_claimed or (d.not_before, d.delivery_id) < (p_delivery.not_before, p_delivery.delivery_id));
  if v_claimed then
    ahead := 0;
  elsif p_channel.catchup = 'newest_first' then
    select count(*) into ahead from delivery.deliveries d
    where d.workspace_id = p_delivery.workspace_id and d.channel_id = p_delivery.channel_id
      and d.status in ('queued', 'retry') and d.held_at is null
      and d.due_at <= greatest(p_now, p_delivery.due_at)
      and (d.due_at, d.delivery_id) > (p_delivery.due_at, p_delivery.delivery_id);
  else
    select count(*) into ahead from delivery.deliveries d
    where d.workspace_id = p_delivery.workspace_id and d.channel_id = p_delivery.channel_id
      and d.status in ('queued', 'retry') and d.held_at is null
      and (d.due_at, d.delivery_id) < (p_delivery.due_at, p_delivery.delivery_id);
  end if;
  turn_at := greatest(p_now,
    p_now + (claimed_ahead + ahead) * v_gap,
    p_channel.last_started_at + (claimed_ahead + ahead + 1) * v_gap,
    case when not v_claimed and v_gap is not null
      then p_channel.next_allowed_at + ahead * interval '1 second' / p_channel.rate_rps::float8 end);

  select * into v_group from delivery.platform_limits g
  where g.workspace_id = p_channel.workspace_id and g.platform = p_channel.platform
    and g.rate_group = p_channel.rate_group and g.rate_rps > 0;
  if found and v_claimed then
    turn_at := greatest(turn_at, v_group.last_started_at + delivery.start_gap(v_group.rate_rps));
  elsif found then
    select ahead + coalesce(sum(o.waiting), 0) into group_ahead
    from delivery.channels c
    cross join lateral (
      select count(*) as waiting from (
        select from delivery.deliveries d
        where d.workspace_id = c.workspace_id and d.channel_id = c.channel_id
          and d.status in ('queued', 'retry') and d.held_at is null and d.due_at <= p_delivery.due_at
        order by d.due_at, d.delivery_id limit ahead + 1
      ) round
    ) o
    where c.workspace_id = p_channel.workspace_id and c.platform = p_channel.platform
      and c.rate_group = p_channel.rate_group and c.channel_id <> p_channel.channel_id;
    turn_at := greatest(turn_at, greatest(p_now, v_group.next_allowed_at,
                                          v_group.last_started_at + delivery.start_gap(v_group.rate_rps))
                                 + group_ahead * interval '1 second' / v_group.rate_rps::float8);
  end if;
end
$$;
