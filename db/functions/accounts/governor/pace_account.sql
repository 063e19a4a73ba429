-- The account: its age, its day, its window, its memory and its settings.
create or replace function accounts.pace_account(p_workspace_id uuid, p_account_id uuid, p_now timestamptz default now())
returns table (
  connected_at timestamptz, day_start timestamptz, window_minutes int, mode text, fix_interval_minutes int, daily_limit int,
  timezone text, memory jsonb, account_settings jsonb, workspace_settings jsonb, sends timestamptz[])
language sql stable as $$
  select coalesce(a.connected_at, a.created_at),
    date_trunc('day', p_now at time zone a.timezone) at time zone a.timezone,
    (extract(epoch from a.window_to - a.window_from) / 60)::int, a.mode, a.fix_interval_minutes, a.daily_limit,
    a.timezone, p.memory, coalesce(p.settings, '{}'), accounts.setting(p_workspace_id, 'account_pace', '{}'),
    -- A day of the zone may have 25 hours.
    array(
      select s.at from accounts.pace_sends s
      where s.workspace_id = p_workspace_id and s.account_id = p_account_id and s.at > p_now - interval '25 hours'
      order by s.at)
  from accounts.accounts a
  left join accounts.pace p on p.workspace_id = a.workspace_id and p.account_id = a.id
  where a.workspace_id = p_workspace_id and a.id = p_account_id
$$;
