-- Why nothing of a channel may start now, or null. The only function that decides it. It contains no query, so that
-- PostgreSQL inlines it into the calling query.
create or replace function delivery.block_of(
  p_channel delivery.channels, p_workspace workspaces.workspaces, p_group delivery.platform_limits, p_now timestamptz default now()
) returns text
language sql stable as $$
  select case
    when not p_channel.enabled then 'channel_disabled'
    when p_channel.paused_until > p_now then 'channel_paused'
    when p_workspace.status <> 'active' then 'workspace_' || p_workspace.status
    when p_group.cooldown_until > p_now then 'group_cooldown'
    when p_channel.window_mode = 'windowed' and not delivery.is_open(
      p_channel.posting_window, coalesce(p_channel.timezone, p_workspace.timezone), p_now) then 'window_closed'
  end
$$;
