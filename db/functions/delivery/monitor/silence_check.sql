-- The silence alarm. A watched channel is silent if nothing was sent for `silence_after_seconds` of open time, or if
-- something planned for an exact time is that much overdue. Each silence leaves one event. A channel that an operator paused
-- or disabled is not expected to post; one in quarantine is.
create or replace function delivery.silence_check(p_workspace_id uuid default null, p_now timestamptz default now())
returns int
language plpgsql as $$
declare
  v_told int;
begin
  delete from delivery.channel_silences s using delivery.channels c
  where c.workspace_id = s.workspace_id and c.channel_id = s.channel_id and c.silence_after_seconds is null
    and (p_workspace_id is null or s.workspace_id = p_workspace_id);
  insert into delivery.channel_silences (workspace_id, channel_id, alive_at)
  select c.workspace_id, c.channel_id, c.created_at from delivery.channels c
  where c.silence_after_seconds is not null and (p_workspace_id is null or c.workspace_id = p_workspace_id)
  on conflict (workspace_id, channel_id) do nothing;

  -- A separate statement: what follows must see what another monitor did before it released the rows.
  perform from delivery.channel_silences s
  where p_workspace_id is null or s.workspace_id = p_workspace_id
  order by s.workspace_id, s.channel_id
  for update;

  -- Only the part of the trail that was not searched yet; uses events_by_channel.
  update delivery.channel_silences s
  set alive_at = greatest(s.alive_at, (
        select e.ts from workspaces.events e
        where e.workspace_id = s.workspace_id and e.channel_id = s.channel_id
          and e.ts > s.looked_until and e.action in ('sent', 'channel_enabled')
        order by e.ts desc limit 1)),
      looked_until = greatest(s.looked_until, p_now - interval '1 minute')
  where p_workspace_id is null or s.workspace_id = p_workspace_id;

  with watched as materialized (
    select s.workspace_id, s.channel_id, s.quiet_since as told_quiet, s.overdue_since as told_overdue,
      c.silence_after_seconds, make_interval(secs => c.silence_after_seconds) as patience,
      c.window_mode, c.posting_window, coalesce(c.timezone, w.timezone) as timezone,
      w.status = 'active' and (
        c.error_streak > 0 or (c.enabled and coalesce(c.paused_until, '-infinity') <= p_now)) as expected,
      greatest(s.alive_at, case when c.error_streak = 0 then c.paused_until end) as alive_at
    from delivery.channel_silences s
    join delivery.channels c using (workspace_id, channel_id)
    join workspaces.workspaces w using (workspace_id)
    where p_workspace_id is null or s.workspace_id = p_workspace_id
  ),
  judged as materialized (
    select w.*,
      case when w.expected and (w.told_quiet = w.alive_at or delivery.silence_lasted(
          w.window_mode, w.posting_window, w.timezone, w.alive_at, w.patience, p_now))
        then w.alive_at end as quiet_since,
      case when w.expected then (
        select min(d.scheduled_for) from delivery.deliveries d
        where d.workspace_id = w.workspace_id and d.channel_id = w.channel_id
          and d.status in ('queued', 'claimed', 'sending', 'retry') and d.held_at is null
          and d.scheduled_for <= p_now - w.patience) end as overdue_since
    from watched w
  ),
  kept as (
    update delivery.channel_silences s
    set quiet_since = j.quiet_since, overdue_since = j.overdue_since
    from judged j
    where s.workspace_id = j.workspace_id and s.channel_id = j.channel_id
      and (s.quiet_since, s.overdue_since) is distinct from (j.quiet_since, j.overdue_since)
  ),
  told as (
    insert into workspaces.events (workspace_id, id, channel_id, ts, action, result, meta)
    select j.workspace_id, molva.uuidv7(p_now), j.channel_id, p_now, 'silence_detected', 'error',
      jsonb_build_object('kind', n.kind, 'since', n.since, 'silence_after_seconds', j.silence_after_seconds)
    from judged j
    cross join lateral (
      select 'overdue', j.overdue_since where j.overdue_since is distinct from j.told_overdue
      union all
      select 'quiet', j.quiet_since where j.quiet_since is distinct from j.told_quiet
      limit 1
    ) as n (kind, since)
    where n.since is not null
    returning 1
  )
  select count(*) into v_told from told;
  return v_told;
end
$$;

-- Whether that much open time has passed since then. Open time is counted in steps of a minute, or of a three-hundredth of
-- the patience if that is longer, so that the work does not grow with the patience.
create or replace function delivery.silence_lasted(
  p_window_mode text, p_window jsonb, p_timezone text, p_since timestamptz, p_patience interval,
  p_now timestamptz default now()
) returns boolean
language plpgsql stable as $$
declare
  v_step interval := greatest(interval '1 minute', p_patience / 300);
  v_at   timestamptz := p_since;
  v_open interval := interval '0';
begin
  -- Open time cannot exceed the total time.
  if p_since > p_now - p_patience then
    return false;
  end if;
  if p_window_mode = 'immediate' then
    return true;
  end if;
  while v_at < p_now loop
    if delivery.is_open(p_window, p_timezone, v_at) then
      v_open := v_open + least(v_step, p_now - v_at);
      if v_open >= p_patience then
        return true;
      end if;
      v_at := v_at + v_step;
    else
      -- Null ends the loop: a window that never opens makes nobody wait.
      v_at := delivery.next_open(p_window, p_timezone, v_at);
    end if;
  end loop;
  return false;
end
$$;
