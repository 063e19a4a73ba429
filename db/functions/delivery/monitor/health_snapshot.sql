-- The health of a workspace, or of all together. Reads no history: live and dead deliveries come from their partial indexes,
-- ended ones from the counts by minute, errors from the last hour.
create or replace function delivery.health_snapshot(p_workspace_id uuid default null, p_now timestamptz default now())
returns jsonb
language sql stable as $$
  with ended as materialized (
    select e.action, sum(e.day)::bigint as day, sum(e.total)::bigint as total
    from delivery.health_scope(p_workspace_id) s
    cross join lateral delivery.health_events(s.workspace_id, p_now) e
    group by 1
  )
  select to_jsonb(q) - 'queued' - 'claimed' - 'sending' - 'retry' || jsonb_build_object(
    'at', p_now,
    'by_status', jsonb_build_object(
      'queued', q.queued, 'claimed', q.claimed, 'sending', q.sending, 'retry', q.retry, 'dead', q.dead_deliveries),
    'last_24h', (
      select jsonb_object_agg(k.status, coalesce((select sum(day) from ended where action = any(k.actions)), 0))
      from delivery.health_endings() k),
    'totals', (
      select jsonb_object_agg(k.status, coalesce((select sum(total) from ended where action = any(k.actions)), 0))
      from delivery.health_endings() k),
    'ingress_24h', (
      select jsonb_object_agg(substr(a, length('ingress_') + 1), coalesce((select day from ended where action = a), 0))
      from unnest(array['ingress_rate_limited', 'ingress_payload_rejected', 'ingress_dedup_dropped']) as a),
    'failed_permanent_10m', (
      select count(*) from delivery.health_scope(p_workspace_id) s
      join workspaces.events e on e.workspace_id = s.workspace_id
        and e.action in ('failed_permanent', 'validation_failed') and e.ts > p_now - interval '10 minutes'),
    'top_errors', delivery.health_top_errors(p_workspace_id, p_now))
  from delivery.health_queue(p_workspace_id, p_now) q
$$;

-- The most frequent errors of the last hour. One attempt may write several events with the same error; it counts once.
create or replace function delivery.health_top_errors(p_workspace_id uuid default null, p_now timestamptz default now())
returns jsonb
language sql stable as $$
  select coalesce(jsonb_agg(to_jsonb(t) order by t.count desc, t.code), '[]')
  from (
    select e.error ->> 'code' as code,
      count(distinct (coalesce(e.delivery_id, e.id), e.attempt)) as count,
      count(distinct e.channel_id) as channels,
      (array_agg(e.error ->> 'message' order by e.ts desc))[1] as last_message,
      max(e.ts) as last_at
    from delivery.health_scope(p_workspace_id) s
    join workspaces.events e
      on e.workspace_id = s.workspace_id and e.result = 'error' and e.ts > p_now - interval '1 hour'
    where e.error ->> 'code' is not null
    group by 1
    order by 2 desc, 1
    limit 10
  ) t
$$;
