-- Takes one question (and, if wanted, one research and some photos) from the quotas. Returns {held}, or
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
  -- Checked last: a person without quota must not be told to wait a moment.
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
