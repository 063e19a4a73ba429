-- Telegram refused the account as a whole outside the queue: at a join or a test message. It is switched off as by a task;
-- `p_flood_seconds` is how long it has to wait, if known.
create or replace function accounts.stop_without_task(
  p_workspace_id uuid, p_account_id uuid, p_code text, p_words text, p_flood_seconds int, p_error jsonb,
  p_meta jsonb default '{}', p_now timestamptz default now()
) returns void
language plpgsql as $$
begin
  update accounts.accounts
  set is_active = false, stopped_code = p_code, stopped_at = p_now, last_error = p_words, updated_at = p_now,
    flood_seconds = coalesce(p_flood_seconds, flood_seconds),
    flood_until = greatest(flood_until, p_now + make_interval(secs => p_flood_seconds))
  where workspace_id = p_workspace_id and id = p_account_id and is_active;
  if found then
    perform accounts.note(p_workspace_id,
      case p_code when 'flood_wait' then 'account_flood_wait' else 'account_stopped' end, p_account_id, null, p_error,
      jsonb_strip_nulls(jsonb_build_object('code', p_code, 'seconds', p_flood_seconds)) || p_meta, p_now);
  end if;
end
$$;
