-- What is worth telling an operator, workspace by workspace: a row for each reason, none where all is well.
-- Some reasons are events and are told once; failures within ten minutes and paused channels are levels, and are told
-- while they last. `p_thresholds` may override a workspace's settings by name.
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
          and e.ts > p_now - interval '10 minutes'),
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

-- A workspace's settings, or the defaults, or what the caller wants instead.
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

-- Which events are reasons.
create or replace function delivery.monitor_reasons() returns table (reason text, action text)
language sql immutable as $$
  values ('dead_deliveries', 'dead_letter'),
         ('sending_leases_recovered', 'sending_lease_expired'),
         ('claimed_leases_recovered', 'claimed_lease_expired'),
         ('silence_detected', 'silence_detected'),
         ('source_failed', 'source_failed'),
         ('source_failed', 'ingress_config_error'),
         ('bot_error_spike', 'bot_error_spike'),
         ('fallback_rate_high', 'fallback_rate_high'),
         ('operator_missing', 'operator_missing'),
         ('operator_silent', 'operator_silent'),
         ('accounts_stopped', 'account_flood_wait'),
         ('accounts_stopped', 'account_stopped')
$$;

-- How often each of them happened since then. A subquery for each action, because a join lets the planner read the whole
-- day instead of asking events_by_action.
create or replace function delivery.monitor_counts(p_workspace_id uuid, p_since timestamptz)
returns table (reason text, count bigint)
language sql stable as $$
  select r.reason, sum((
    select count(*) from workspaces.events e
    where e.workspace_id = p_workspace_id and e.action = r.action and e.ts > p_since))::bigint
  from delivery.monitor_reasons() r
  group by 1
  union all
  select 'orphan_events', count(*) from delivery.orphan_events o
  where o.workspace_id = p_workspace_id and o.found_at > p_since
$$;

-- Up to three cases of a reason, the most frequent of the newest thousand first: which channel, source or account, which
-- error, how often.
create or replace function delivery.monitor_examples(
  p_workspace_id uuid, p_reason text, p_since timestamptz, p_now timestamptz default now()
) returns jsonb
language sql stable as $$
  select coalesce(jsonb_agg(jsonb_strip_nulls(to_jsonb(x)) order by x.count desc), '[]')
  from (
    select g.count, g.channel_id, c.title as channel, c.platform, g.source_id, g.account, g.code, g.message, g.since, g.action, g.missing
    from (
      select count(*) as count, e.channel_id, e.meta ->> 'source_id' as source_id,
        e.meta ->> 'account' as account, e.error ->> 'code' as code,
        (array_agg(e.error ->> 'message' order by e.ts desc))[1] as message,
        (array_agg(e.meta ->> 'since' order by e.ts desc))[1] as since,
        null as action, null as missing
      from unnest(case p_reason
        when 'failed_permanent_threshold' then array['failed_permanent', 'validation_failed']
        else array(select r.action from delivery.monitor_reasons() r where r.reason = p_reason) end) as a (action)
      cross join lateral (
        select n.* from workspaces.events n
        where n.workspace_id = p_workspace_id and n.action = a.action and n.ts > p_since
        order by n.ts desc limit 1000
      ) e
      group by 2, 3, 4, 5
      union all
      select 1, c.channel_id, null, null, null, null, to_jsonb(c.paused_until) #>> '{}', null, null
      from delivery.channels c
      where p_reason = 'paused_channels_threshold' and c.workspace_id = p_workspace_id and c.paused_until > p_now
      union all
      select count(*), null, null, null, null, null, null, o.action, o.missing
      from delivery.orphan_events o
      where p_reason = 'orphan_events' and o.workspace_id = p_workspace_id and o.found_at > p_since
      group by o.action, o.missing
      order by 1 desc
      limit 3
    ) g
    left join delivery.channels c on c.workspace_id = p_workspace_id and c.channel_id = g.channel_id
  ) x
$$;
