-- The first page about a workspace: its queue, its channels, the last hour by the minute. Reads no history: live states come
-- from their index, ended ones from the counts of events.
create or replace function delivery.overview(p_workspace_id uuid, p_now timestamptz default now()) returns jsonb
language sql stable
set plan_cache_mode = force_custom_plan
as $$
  with ended as materialized (
    select k.status, coalesce(sum(e.total), 0)::bigint as total
    from delivery.health_endings() k
    left join delivery.health_events(p_workspace_id, p_now) e on e.action = any (k.actions)
    group by 1
  )
  select jsonb_build_object(
    'workspace', (
      select jsonb_build_object('id', workspace_id, 'name', name, 'status', status)
      from workspaces.workspaces where workspace_id = p_workspace_id),
    'queue', (
      select jsonb_build_object('queued', q.queued, 'claimed', q.claimed, 'sending', q.sending, 'retry', q.retry,
        'dead', q.dead_deliveries) from delivery.health_queue(p_workspace_id, p_now) q)
      || (select jsonb_object_agg(status, total) from ended where status <> 'dead'),
    'channels', (
      select jsonb_build_object(
        'total', count(*),
        'enabled', count(*) filter (where enabled and coalesce(paused_until, '-infinity') <= p_now),
        'paused', count(*) filter (where enabled and paused_until > p_now),
        'disabled', count(*) filter (where not enabled),
        'by_platform', coalesce((
          select jsonb_object_agg(platform, n) from (
            select platform, count(*) as n from delivery.channels where workspace_id = p_workspace_id group by 1) p), '{}'))
      from delivery.channels where workspace_id = p_workspace_id),
    'activity', (
      select jsonb_agg(jsonb_build_object('at', minute, 'sent', coalesce(e.sent, 0), 'failed', coalesce(e.failed, 0))
                       order by minute)
      from generate_series(date_trunc('minute', p_now) - interval '59 minutes', date_trunc('minute', p_now), '1 minute') as minute
      left join (
        select date_trunc('minute', ts) as minute,
          count(*) filter (where action = 'sent') as sent,
          count(*) filter (where action in ('failed_permanent', 'dead_letter', 'validation_failed')) as failed
        from workspaces.events
        where workspace_id = p_workspace_id
          and action in ('sent', 'failed_permanent', 'dead_letter', 'validation_failed')
          and ts >= date_trunc('minute', p_now) - interval '59 minutes' and ts <= p_now + interval '1 minute'
        group by 1
      ) e using (minute)))
$$;
