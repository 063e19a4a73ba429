-- What stands in a delivery's way besides its own time and its place in the queue, now and later.

-- What blocks its channel at that time; an exact time overrides a closed window.
create or replace function delivery.delivery_block(
  p_delivery delivery.deliveries, p_channel delivery.channels, p_now timestamptz default now()
) returns text
language sql stable as $$
  select case when b.block = 'window_closed' and p_delivery.scheduled_for is not null then null else b.block end
  from (select delivery.channel_block(p_channel, p_now) as block) b
$$;

-- When a block that holds at that time passes by itself; null when only a person ends it.
create or replace function delivery.block_ends_at(
  p_block text, p_channel delivery.channels, p_now timestamptz default now()
) returns timestamptz
language sql stable as $$
  select case when isfinite(ends_at) then ends_at end
  from (
    select case p_block
      when 'channel_paused' then p_channel.paused_until
      when 'group_cooldown' then (
        select g.cooldown_until from delivery.platform_limits g
        where g.workspace_id = p_channel.workspace_id and g.platform = p_channel.platform
          and g.rate_group = p_channel.rate_group)
      when 'window_closed' then (
        select delivery.channel_opens_at(p_channel, w.timezone, p_now) from workspaces.workspaces w
        where w.workspace_id = p_channel.workspace_id)
    end as ends_at
  ) e
$$;

-- Goes from the end of one block to the next, beginning at p_now, until nothing blocks the delivery any more.
-- `lasting` is the block that only a person ends, if the way leads to one; `free_at` is null then.
create or replace function delivery.next_free(
  p_delivery delivery.deliveries, p_channel delivery.channels, p_now timestamptz default now(),
  out free_at timestamptz, out lasting text
)
language plpgsql stable as $$
begin
  free_at := p_now;
  loop
    lasting := delivery.delivery_block(p_delivery, p_channel, free_at);
    exit when lasting is null;
    free_at := delivery.block_ends_at(lasting, p_channel, free_at);
    exit when free_at is null;
  end loop;
end
$$;

-- Since when a block holds, and what an operator needs to know of it.
create or replace function delivery.block_facts(
  p_block text, p_channel delivery.channels, p_now timestamptz default now(), out since timestamptz, out details jsonb
)
language plpgsql stable as $$
begin
  if p_block like 'workspace\_%' then
    select w.updated_at, '{}' into since, details from workspaces.workspaces w
    where w.workspace_id = p_channel.workspace_id;
  elsif p_block = 'group_cooldown' then
    select g.updated_at, jsonb_build_object(
      'platform', g.platform, 'rate_group', g.rate_group, 'cooldown_until', g.cooldown_until)
    into since, details
    from delivery.platform_limits g
    where g.workspace_id = p_channel.workspace_id and g.platform = p_channel.platform
      and g.rate_group = p_channel.rate_group;
  elsif p_block in ('channel_paused', 'channel_disabled') then
    select s.since, jsonb_strip_nulls(jsonb_build_object(
      'paused_until', case p_block when 'channel_paused' then p_channel.paused_until end,
      'error_streak', p_channel.error_streak, 'error', s.error,
      'stopped_by', s.stopped_by, 'operator', s.operator, 'stop_reason', s.reason, 'help', s.help))
    into since, details
    from delivery.channel_stop(p_channel, p_now) s;
  elsif p_block = 'window_closed' then
    details := jsonb_strip_nulls(jsonb_build_object(
      'opens_at', delivery.block_ends_at(p_block, p_channel, p_now), 'timezone', p_channel.timezone));
  end if;
  since := coalesce(since, p_channel.updated_at);
  details := coalesce(details, '{}');
end
$$;
