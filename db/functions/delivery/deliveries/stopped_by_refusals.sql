-- The channels that stopped because they refused posts, not because somebody stopped them. Null for `p_channels` means all
-- channels.
create or replace function delivery.stopped_by_refusals(p_workspace_id uuid, p_channels uuid[], p_now timestamptz default now())
returns uuid[]
language sql stable as $$
  select coalesce(array_agg(c.channel_id order by c.channel_id), '{}')
  from delivery.channels c
  cross join lateral delivery.channel_stop(c, p_now) s
  where c.workspace_id = p_workspace_id and (p_channels is null or c.channel_id = any (p_channels))
    and (not c.enabled or c.paused_until > p_now) and s.stopped_by = 'refusals'
$$;
