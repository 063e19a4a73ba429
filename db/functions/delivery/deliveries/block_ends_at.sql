-- When a block that is active at that time ends by itself; null if only a person ends it.
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
