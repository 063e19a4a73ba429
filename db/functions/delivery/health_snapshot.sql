-- How a workspace is, or all of them together. Nothing here reads history: live states and the dead come from their
-- partial indexes, what has ended from the counts by minute, errors from the last hour.

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

create or replace function delivery.health_scope(p_workspace_id uuid) returns table (workspace_id uuid, status text)
language sql stable as $$
  select w.workspace_id, w.status from workspaces.workspaces w
  where p_workspace_id is null or w.workspace_id = p_workspace_id
$$;

-- The events that say how a delivery ended.
create or replace function delivery.health_endings() returns table (status text, actions text[])
language sql immutable as $$
  values ('sent', array['sent']),
         ('deduped', array['dedup_suppressed']),
         ('failed_permanent', array['failed_permanent', 'validation_failed']),
         ('dead', array['dead_letter'])
$$;

-- What waits, what stands still. `oldest_due_seconds` counts every delivery that is due and not held;
-- `lag_seconds` only those that nothing but the queue keeps back.
create or replace function delivery.health_queue(p_workspace_id uuid default null, p_now timestamptz default now())
returns table (
  queued bigint, claimed bigint, sending bigint, retry bigint, dead_deliveries bigint,
  oldest_due_seconds double precision, lag_seconds double precision,
  paused_channels bigint, disabled_channels bigint, silent_channels bigint, orphan_events bigint)
language sql stable as $$
  with scope as materialized (select * from delivery.health_scope(p_workspace_id)),
  -- Driven from the workspaces, so that each is a range of deliveries_due and never a scan.
  live as materialized (
    select l.status, sum(l.count)::bigint as count
    from scope s
    cross join lateral (
      select d.status, count(*) from delivery.deliveries d
      where d.workspace_id = s.workspace_id and d.status in ('queued', 'claimed', 'sending', 'retry')
      group by 1
    ) l
    group by 1
  ),
  -- One look into deliveries_waiting per channel, however long its queue is.
  due as (
    select min(first.due_at) as oldest,
      min(first.due_at) filter (
        where s.status = 'active' and c.enabled and coalesce(c.paused_until, '-infinity') <= p_now
          and coalesce(g.cooldown_until, '-infinity') <= p_now) as free
    from scope s
    join delivery.channels c on c.workspace_id = s.workspace_id
    left join delivery.platform_limits g
      on g.workspace_id = c.workspace_id and g.platform = c.platform and g.rate_group = c.rate_group
    cross join lateral (
      select d.due_at from delivery.deliveries d
      where d.workspace_id = c.workspace_id and d.channel_id = c.channel_id
        and d.status in ('queued', 'retry') and d.held_at is null
      order by d.due_at, d.delivery_id limit 1
    ) first
    where first.due_at <= p_now
  ),
  channels as (
    select count(*) filter (where c.paused_until > p_now) as paused, count(*) filter (where not c.enabled) as disabled
    from scope s join delivery.channels c on c.workspace_id = s.workspace_id
  )
  select
    coalesce((select count from live where status = 'queued'), 0),
    coalesce((select count from live where status = 'claimed'), 0),
    coalesce((select count from live where status = 'sending'), 0),
    coalesce((select count from live where status = 'retry'), 0),
    (select count(*) from scope s join delivery.deliveries d on d.workspace_id = s.workspace_id and d.status = 'dead'),
    coalesce(extract(epoch from p_now - due.oldest), 0)::double precision,
    coalesce(extract(epoch from p_now - due.free), 0)::double precision,
    channels.paused, channels.disabled,
    (select count(*) from scope s join delivery.channel_silences q on q.workspace_id = s.workspace_id
       and (q.quiet_since is not null or q.overdue_since is not null)),
    (select count(*) from scope s join delivery.orphan_events o on o.workspace_id = s.workspace_id)
  from due, channels
$$;

-- What went wrong most in the last hour. One attempt may leave several events with the same error; it counts once.
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
