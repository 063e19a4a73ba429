-- The policy of one channel.
create or replace function delivery.channel_policy(p_workspace_id uuid, p_channel_id uuid)
returns table (
  max_attempts int, backoff_base_seconds double precision, backoff_max_seconds double precision,
  pause_on_permanent_seconds int, disable_after_permanent_streak int)
language sql stable as $$
  select p.max_attempts, p.backoff_base_seconds, p.backoff_max_seconds,
    coalesce(c.pause_on_permanent_seconds, p.pause_on_permanent_seconds),
    coalesce(c.disable_after_permanent_streak, p.disable_after_permanent_streak)
  from delivery.channels c
  cross join delivery.workspace_policy(p_workspace_id) p
  where c.workspace_id = p_workspace_id and c.channel_id = p_channel_id
$$;
