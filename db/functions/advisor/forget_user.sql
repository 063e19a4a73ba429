-- Deletes everything of one person. Returns 1, or 0 if there was no such person.
create or replace function advisor.forget_user(
  p_workspace_id uuid, p_user_id uuid, p_trace text, p_now timestamptz default now()
) returns int
language plpgsql as $$
declare
  v_count int;
begin
  perform from advisor.users u where u.workspace_id = p_workspace_id and u.id = p_user_id for update;
  insert into advisor.used_today as t (workspace_id, trace, window_start_at, window_end_at, count, cooldown_until)
  select l.workspace_id, p_trace, l.window_start_at, l.window_end_at, l.count, l.cooldown_until
  from advisor.rate_limits l
  where l.workspace_id = p_workspace_id and l.user_id = p_user_id and l.window_end_at > p_now
  on conflict (workspace_id, trace) do update set
    window_start_at = excluded.window_start_at, window_end_at = excluded.window_end_at,
    count = excluded.count, cooldown_until = excluded.cooldown_until;
  update advisor.media_assets m set deleted_at = coalesce(m.deleted_at, p_now), user_id = null, pet_id = null
  where m.workspace_id = p_workspace_id and m.user_id = p_user_id;
  delete from advisor.users u where u.workspace_id = p_workspace_id and u.id = p_user_id;
  get diagnostics v_count = row_count;
  return v_count;
end
$$;
