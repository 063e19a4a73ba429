-- What waits and what is stopped. `oldest_due_seconds` counts every delivery that is due and not held; `lag_seconds` only
-- those that wait for nothing but the queue.
create or replace function delivery.health_queue(p_workspace_id uuid default null, p_now timestamptz default now())
returns table (
  queued bigint, claimed bigint, sending bigint, retry bigint, dead_deliveries bigint,
  oldest_due_seconds double precision, lag_seconds double precision,
  paused_channels bigint, disabled_channels bigint, silent_channels bigint, orphan_events bigint)
language sql stable as $$
  with scope as materialized (select * from delivery.health_scope(p_workspace_id)),
  -- Starts from the workspaces, so that each is a range of deliveries_due and never a scan.
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
  -- One look-up in deliveries_waiting per channel, however long its queue is.
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
