create or replace function accounts.limiter_status(p_workspace_id uuid, p_account_id uuid, p_now timestamptz default now())
returns table (
  can_send boolean, wait_seconds int, messages_in_hour int, messages_remaining int, next_available timestamptz, enabled boolean)
language sql stable as $$
  select not v.enabled or v.free_at <= p_now,
    case when v.enabled and v.free_at > p_now then ceil(extract(epoch from v.free_at - p_now))::int else 0 end,
    v.sent, greatest(v.per_hour - v.sent, 0),
    case when v.enabled then greatest(v.free_at, p_now) else p_now end,
    v.enabled
  from (
    select l.enabled, l.per_hour, s.sent,
      greatest(
        coalesce(s.last + make_interval(secs => l.seconds), p_now),
        -- The hour is full until the oldest of its last `per_hour` sends is an hour old.
        case when s.sent >= l.per_hour then s.times[l.per_hour] + interval '1 hour' else p_now end) as free_at
    from (
      select (s ->> 'enabled')::boolean as enabled, (s ->> 'seconds')::float8 as seconds,
        greatest((s ->> 'per_hour')::int, 1) as per_hour
      from accounts.setting(p_workspace_id, 'account_rate_limit',
        '{"enabled": true, "seconds": 60, "per_hour": 60}') as s
    ) l
    cross join lateral (
      select count(*)::int as sent, max(at) as last, array_agg(at order by at desc) as times
      from accounts.sends
      where workspace_id = p_workspace_id and account_id = p_account_id and at > p_now - interval '1 hour'
    ) s
  ) v
$$;
