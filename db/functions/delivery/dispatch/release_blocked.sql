-- Claimed deliveries of channels that may not send now are returned to the queue, and get a new slot when they may. An exact
-- time overrides a closed window, because the author asked for it.
create or replace function delivery.release_blocked(
  p_workspace_id uuid, p_channels uuid[], p_now timestamptz default now()
) returns void
language sql as $$
  update delivery.deliveries d
  set status = case when d.next_retry_at is null then 'queued' else 'retry' end,
      not_before = case b.block when 'window_closed' then coalesce(b.opens_at, d.not_before) else delivery.place_in_queue(d) end,
      claimed_at = null, claim_token = null, updated_at = p_now
  from (
    select c.channel_id, delivery.channel_block(c, p_now) as block, delivery.channel_opens_at(c, w.timezone, p_now) as opens_at
    from delivery.channels c
    join workspaces.workspaces w using (workspace_id)
    where c.workspace_id = p_workspace_id and c.channel_id = any (p_channels)
  ) b
  where b.block is not null and not (b.block = 'window_closed' and d.scheduled_for is not null)
    and d.workspace_id = p_workspace_id and d.channel_id = b.channel_id and d.status = 'claimed'
$$;
