-- The earliest time at which a post for this channel may be sent: p_at itself unless the channel has a window.
create or replace function delivery.channel_opens_at(p_channel delivery.channels, p_workspace_timezone text, p_at timestamptz)
returns timestamptz
language sql stable parallel safe as $$
  select case p_channel.window_mode
    when 'immediate' then p_at
    else delivery.next_open(p_channel.posting_window, coalesce(p_channel.timezone, p_workspace_timezone), p_at)
  end
$$;
