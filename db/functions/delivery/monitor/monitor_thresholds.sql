-- A workspace's settings over the defaults; the caller's values override both.
create or replace function delivery.monitor_thresholds(
  p_workspace_id uuid, p_overrides jsonb default '{}',
  out failed_permanent_threshold int, out paused_channels_threshold int, out alert_cooldown_seconds int
)
language sql stable as $$
  select coalesce((p_overrides ->> 'failed_permanent_threshold')::int, s.failed_permanent_threshold, 5),
    coalesce((p_overrides ->> 'paused_channels_threshold')::int, s.paused_channels_threshold, 10),
    greatest(1, coalesce((p_overrides ->> 'alert_cooldown_seconds')::int, s.alert_cooldown_seconds, 300))
  from (select p_workspace_id) as w (workspace_id)
  left join delivery.monitor_settings s using (workspace_id)
$$;
