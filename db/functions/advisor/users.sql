-- People and what is left of their quotas. `p_plans` everywhere: {"free": {"daily", "cooldown_sec"}, "pro": {…},
-- "research_limit", "photo_limit"}; a daily limit of -1 is none.

create or replace function advisor.next_month(p_now timestamptz) returns timestamptz
language sql immutable as $$
  select (date_trunc('month', p_now at time zone 'UTC') + interval '1 month') at time zone 'UTC'
$$;

-- Finds or creates the person and holds the row until the end of the transaction, so that one person's requests are decided
-- one after another. Monthly quotas whose time has come begin anew.
create or replace function advisor.lock_user(
  p_workspace_id uuid, p_telegram_user_id bigint, p_locale text default null, p_now timestamptz default now()
) returns advisor.users
language plpgsql as $$
declare
  v_user advisor.users;
begin
  insert into advisor.users as u (workspace_id, telegram_user_id, created_at, locale, last_seen_at, research_reset_at, photos_reset_at)
  values (p_workspace_id, p_telegram_user_id, p_now, p_locale, p_now, advisor.next_month(p_now), advisor.next_month(p_now))
  on conflict (workspace_id, telegram_user_id) do update set
    locale = coalesce(excluded.locale, u.locale),
    last_seen_at = excluded.last_seen_at,
    research_used = case when u.research_reset_at <= p_now then 0 else u.research_used end,
    research_reset_at = case when u.research_reset_at <= p_now then excluded.research_reset_at else u.research_reset_at end,
    photos_used = case when u.photos_reset_at <= p_now then 0 else u.photos_used end,
    photos_reset_at = case when u.photos_reset_at <= p_now then excluded.photos_reset_at else u.photos_reset_at end
  returning * into v_user;
  return v_user;
end
$$;

-- What is left, as answers tell it.
create or replace function advisor.quota_of(p_user advisor.users, p_plans jsonb, p_now timestamptz default now())
returns jsonb
language sql stable as $$
  select jsonb_build_object(
    'plan', p_user.plan,
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
  from (select (p_plans -> p_user.plan ->> 'daily')::int as daily) d
  left join lateral (
    select l.count as used, l.cooldown_until from advisor.rate_limits l
    where l.workspace_id = p_user.workspace_id and l.user_id = p_user.id and l.window_end_at > p_now
  ) r on true
$$;

-- The same for somebody whom nobody knows, or who has deleted everything today: looking leaves no trace.
create or replace function advisor.quota_of_stranger(
  p_workspace_id uuid, p_trace text, p_plans jsonb, p_now timestamptz default now()
) returns jsonb
language sql stable as $$
  select advisor.quota_of(s, p_plans, p_now) || coalesce((
    select jsonb_build_object(
      'remaining', case when d.daily < 0 then -1 else greatest(d.daily - t.count, 0) end,
      'cooldown_until', t.cooldown_until)
    from advisor.used_today t, (select (p_plans -> 'free' ->> 'daily')::int as daily) d
    where t.workspace_id = p_workspace_id and t.trace = p_trace and t.window_end_at > p_now
  ), '{}')
  from jsonb_populate_record(null::advisor.users, jsonb_build_object('workspace_id', p_workspace_id, 'plan', 'free',
    'research_used', 0, 'photos_used', 0, 'research_reset_at', p_now, 'photos_reset_at', p_now)) s
$$;

-- Takes one question (and, when asked for, one piece of research and some photos) out of the quotas. Answers {held}, or
-- {refused, until} with one of plan_required, research_limit, photo_limit, cooldown, daily_limit.
create or replace function advisor.take_quota(
  p_user advisor.users, p_plans jsonb, p_wants jsonb, p_now timestamptz default now()
) returns jsonb
language plpgsql as $$
declare
  v_quota    jsonb := advisor.quota_of(p_user, p_plans, p_now);
  v_research int := case when (p_wants ->> 'research')::boolean then 1 else 0 end;
  v_photos   int := coalesce((p_wants ->> 'photos')::int, 0);
  v_cooldown int := (p_plans -> p_user.plan ->> 'cooldown_sec')::int;
  v_day      timestamptz := date_trunc('day', p_now at time zone 'UTC') at time zone 'UTC';
begin
  if p_user.plan = 'free' and (v_research > 0 or (p_wants ->> 'media')::boolean) then
    return jsonb_build_object('refused', 'plan_required', 'quota', v_quota);
  end if;
  if (v_quota ->> 'remaining')::int = 0 then
    return jsonb_build_object('refused', 'daily_limit', 'quota', v_quota);
  end if;
  if v_research > 0 and (v_quota ->> 'research_used')::int >= (v_quota ->> 'research_limit')::int then
    return jsonb_build_object('refused', 'research_limit', 'quota', v_quota);
  end if;
  if v_photos > 0 and (v_quota ->> 'photos_used')::int + v_photos > (v_quota ->> 'photo_limit')::int then
    return jsonb_build_object('refused', 'photo_limit', 'quota', v_quota);
  end if;
  -- Last: whoever has nothing left is not told to wait a moment.
  if (v_quota ->> 'cooldown_until')::timestamptz > p_now then
    return jsonb_build_object('refused', 'cooldown', 'quota', v_quota);
  end if;
  insert into advisor.rate_limits as l (workspace_id, user_id, window_start_at, window_end_at, count, last_request_at, cooldown_until)
  values (p_user.workspace_id, p_user.id, v_day, v_day + interval '24 hours', 1, p_now,
    case when v_cooldown > 0 then p_now + make_interval(secs => v_cooldown) end)
  on conflict (workspace_id, user_id) do update set
    window_start_at = excluded.window_start_at, window_end_at = excluded.window_end_at,
    count = case when l.window_end_at > p_now then l.count else 0 end + 1,
    last_request_at = excluded.last_request_at, cooldown_until = excluded.cooldown_until;
  if v_research > 0 or v_photos > 0 then
    update advisor.users u set research_used = u.research_used + v_research, photos_used = u.photos_used + v_photos
    where u.workspace_id = p_user.workspace_id and u.id = p_user.id;
  end if;
  return jsonb_build_object('held', jsonb_build_object('window_start_at', v_day, 'research', v_research,
    'research_reset_at', p_user.research_reset_at, 'photos', v_photos, 'photos_reset_at', p_user.photos_reset_at,
    'cooldown_until', case when v_cooldown > 0 then p_now + make_interval(secs => v_cooldown) end));
end
$$;

-- Gives back what a request held, as far as it belongs to periods that still run; the next question need not wait either.
create or replace function advisor.give_back(p_workspace_id uuid, p_user_id uuid, p_held jsonb) returns void
language plpgsql as $$
begin
  if p_held = '{}' then
    return;
  end if;
  update advisor.rate_limits l set
    count = greatest(l.count - 1, 0),
    cooldown_until = case when l.cooldown_until = (p_held ->> 'cooldown_until')::timestamptz then null else l.cooldown_until end
  where l.workspace_id = p_workspace_id and l.user_id = p_user_id
    and l.window_start_at = (p_held ->> 'window_start_at')::timestamptz;
  update advisor.users u set
    research_used = case when u.research_reset_at = (p_held ->> 'research_reset_at')::timestamptz
      then greatest(u.research_used - (p_held ->> 'research')::int, 0) else u.research_used end,
    photos_used = case when u.photos_reset_at = (p_held ->> 'photos_reset_at')::timestamptz
      then greatest(u.photos_used - (p_held ->> 'photos')::int, 0) else u.photos_used end
  where u.workspace_id = p_workspace_id and u.id = p_user_id
    and ((p_held ->> 'research')::int > 0 or (p_held ->> 'photos')::int > 0);
end
$$;

-- Somebody who deleted everything and comes back on the same day has used what they had used.
create or replace function advisor.recall_use(
  p_workspace_id uuid, p_user_id uuid, p_trace text, p_now timestamptz default now()
) returns void
language sql as $$
  with recalled as (
    delete from advisor.used_today t where t.workspace_id = p_workspace_id and t.trace = p_trace returning *
  )
  insert into advisor.rate_limits (workspace_id, user_id, window_start_at, window_end_at, count, last_request_at, cooldown_until)
  select r.workspace_id, p_user_id, r.window_start_at, r.window_end_at, r.count, p_now, r.cooldown_until
  from recalled r where r.window_end_at > p_now
  on conflict (workspace_id, user_id) do nothing
$$;

-- Whoever loses Pro loses what Pro remembered of the talk, and begins Free with a whole day: Pro's questions were not Free's.
-- A trigger, because plans are also set by hand.
create or replace function advisor.end_pro() returns trigger
language plpgsql as $$
begin
  delete from advisor.sessions s where s.workspace_id = new.workspace_id and s.user_id = new.id;
  update advisor.rate_limits l set count = 0, cooldown_until = null where l.workspace_id = new.workspace_id and l.user_id = new.id;
  return null;
end
$$;
create or replace trigger end_pro
  after update of plan on advisor.users
  for each row
  when (old.plan = 'pro' and new.plan = 'free')
  execute function advisor.end_pro();
