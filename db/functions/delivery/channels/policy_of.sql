-- How failures are handled: workspaces.settings -> 'policy', over these defaults. A channel may have its own thresholds for
-- refusals: see channel_policy.
create or replace function delivery.policy_of(p_settings jsonb)
returns table (
  max_attempts int, backoff_base_seconds double precision, backoff_max_seconds double precision,
  pause_on_permanent_seconds int, disable_after_permanent_streak int)
language sql immutable parallel safe as $$
  select r.*
  from jsonb_to_record('{
      "max_attempts": 5, "backoff_base_seconds": 2, "backoff_max_seconds": 600,
      "pause_on_permanent_seconds": 3600, "disable_after_permanent_streak": 3
    }'::jsonb || coalesce(p_settings -> 'policy', '{}')) as r (
    max_attempts int, backoff_base_seconds double precision, backoff_max_seconds double precision,
    pause_on_permanent_seconds int, disable_after_permanent_streak int)
$$;
