-- The same for one channel.
create or replace function delivery.channel_block(p_channel delivery.channels, p_now timestamptz default now()) returns text
language sql stable as $$
  select delivery.block_of(p_channel, w, g, p_now)
  from workspaces.workspaces w
  left join delivery.platform_limits g
    on g.workspace_id = p_channel.workspace_id and g.platform = p_channel.platform and g.rate_group = p_channel.rate_group
  where w.workspace_id = p_channel.workspace_id
$$;
