-- What operators should be alerted about, by workspace: one row for each reason, none if all is well. Some reasons are events
-- and are reported once; failures within ten minutes and paused channels are states, and are reported while they last;
-- refusals of a connection concern its owner only. `p_thresholds` may override a workspace's settings by name.
create or replace function delivery.monitor_findings(
  p_workspace_id uuid default null, p_thresholds jsonb default '{}', p_now timestamptz default now()
) returns table (workspace_id uuid, reason text, count bigint, threshold int, examples jsonb)
language sql stable as $$
  with watched as materialized (
    select w.workspace_id, m.failed_permanent_threshold, m.paused_channels_threshold,
      greatest(t.reported_until, p_now - interval '1 day') as since,
      case when t.reported_until > p_now - interval '1 day' then t.reported_after else '{}' end as told
    from delivery.health_scope(p_workspace_id) w
    cross join lateral delivery.monitor_thresholds(w.workspace_id, p_thresholds) m
    left join delivery.monitor_state t using (workspace_id)
    where w.status <> 'disabled'
  ),
  counted as (
    select w.workspace_id, c.reason, c.count - coalesce((w.told ->> c.reason)::bigint, 0) as count, 0 as threshold, w.since
    from watched w
    cross join lateral delivery.monitor_counts(w.workspace_id, w.since) c
    union all
    select w.workspace_id, 'failed_permanent_threshold', (
        select count(*) from workspaces.events e
        where e.workspace_id = w.workspace_id and e.action in ('failed_permanent', 'validation_failed')
          and e.ts > p_now - interval '10 minutes' and not delivery.is_of_connection(e)),
      w.failed_permanent_threshold, p_now - interval '10 minutes'
    from watched w
    union all
    select w.workspace_id, 'paused_channels_threshold', (
        select count(*) from delivery.channels c where c.workspace_id = w.workspace_id and c.paused_until > p_now),
      w.paused_channels_threshold, p_now
    from watched w
  )
  select c.workspace_id, c.reason, c.count, c.threshold,
    delivery.monitor_examples(c.workspace_id, c.reason, c.since, p_now)
  from counted c
  where c.count > c.threshold
$$;
