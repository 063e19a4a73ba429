-- Finds or creates the person and locks the row until the end of the transaction, so that one person's requests are decided
-- one after another. Resets monthly quotas that are due. A plan that was paid for ends in time.
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
    plan = case when u.plan_until <= p_now then 'free' else u.plan end,
    plan_until = case when u.plan_until > p_now then u.plan_until end,
    research_used = case when u.research_reset_at <= p_now then 0 else u.research_used end,
    research_reset_at = case when u.research_reset_at <= p_now then excluded.research_reset_at else u.research_reset_at end,
    photos_used = case when u.photos_reset_at <= p_now then 0 else u.photos_used end,
    photos_reset_at = case when u.photos_reset_at <= p_now then excluded.photos_reset_at else u.photos_reset_at end
  returning * into v_user;
  return v_user;
end
$$;
