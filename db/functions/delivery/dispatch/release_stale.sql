-- Deliveries that became too old for their channel while they waited for their slot are returned to the queue, where they are
-- dropped or held.
create or replace function delivery.release_stale(
  p_workspace_id uuid, p_channels uuid[], p_now timestamptz default now()
) returns int
language sql as $$
  with released as (
    update delivery.deliveries d
    set status = case when d.next_retry_at is null then 'queued' else 'retry' end,
        not_before = delivery.place_in_queue(d), claimed_at = null, claim_token = null, updated_at = p_now
    from delivery.channels c
    where c.workspace_id = p_workspace_id and c.channel_id = any (p_channels) and c.max_age_seconds is not null
      and d.workspace_id = p_workspace_id and d.channel_id = c.channel_id and d.status = 'claimed'
      and delivery.is_stale(d.created_at, d.scheduled_for, c.max_age_seconds, p_now)
    returning 1
  )
  select count(*)::int from released
$$;
