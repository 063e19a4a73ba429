-- The same for an unknown person, or one who has deleted everything today; stores nothing.
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
