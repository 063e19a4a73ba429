-- Why nothing of a channel may be corrected now, or null: the same blocks as for posts, except the channel's hours.
create or replace function delivery.correction_block(
  p_channel delivery.channels, p_workspace workspaces.workspaces, p_group delivery.platform_limits, p_now timestamptz default now()
) returns text
language sql stable as $$
  select nullif(delivery.block_of(p_channel, p_workspace, p_group, p_now), 'window_closed')
$$;
