-- The remaining quota, in the format of answers.
create or replace function advisor.quota_of(p_user advisor.users, p_plans jsonb, p_now timestamptz default now())
returns jsonb
language sql stable as $$
  select jsonb_build_object(
    'plan', d.plan,
    'remaining', case when d.daily < 0 then -1 else greatest(d.daily - coalesce(r.used, 0), 0) end,
    'cooldown_until', r.cooldown_until,
    'reset_at', (date_trunc('day', p_now at time zone 'UTC') + interval '1 day') at time zone 'UTC',
    'research_used', case when p_user.research_reset_at <= p_now then 0 else p_user.research_used end,
    'research_limit', coalesce(p_user.research_limit, (p_plans ->> 'research_limit')::int),
    'research_reset_at', greatest(p_user.research_reset_at, case when p_user.research_reset_at <= p_now then advisor.next_month(p_now) end),
    'photos_used', case when p_user.photos_reset_at <= p_now then 0 else p_user.photos_used end,
    'photo_limit', coalesce(p_user.photo_limit, (p_plans ->> 'photo_limit')::int),
    'photos_reset_at', greatest(p_user.photos_reset_at, case when p_user.photos_reset_at <= p_now then advisor.next_month(p_now) end)
  )
  from (
    select e.plan, (p_plans -> e.plan ->> 'daily')::int as daily
    -- A plan that was paid for has ended even if nobody has noted it yet.
    from (select case when p_user.plan_until <= p_now then 'free' else p_user.plan end as plan) e
  ) d
  left join lateral (
    select l.count as used, l.cooldown_until from advisor.rate_limits l
    where l.workspace_id = p_user.workspace_id and l.user_id = p_user.id and l.window_end_at > p_now
  ) r on true
$$;
