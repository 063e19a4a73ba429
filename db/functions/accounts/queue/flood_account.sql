-- A flood wait: the task waits as `flood_wait`, the account is off until somebody switches it on again.
create or replace function accounts.flood_account(
  p_workspace_id uuid, p_id uuid, p_claim_token uuid, p_seconds int, p_words text, p_error jsonb,
  p_now timestamptz default now()
) returns boolean
language plpgsql as $$
declare
  v_task    accounts.queue;
  v_is_ours boolean;
  v_title   text;
begin
  update accounts.queue
  set status = 'flood_wait', claim_token = null, reason = 'flood_wait', last_error = p_words, updated_at = p_now
  where workspace_id = p_workspace_id and id = p_id and claim_token = p_claim_token;
  v_is_ours := found;
  select * into v_task from accounts.queue where workspace_id = p_workspace_id and id = p_id;
  update accounts.accounts
  set is_active = false, stopped_code = 'flood_wait', stopped_at = p_now, last_error = p_words, flood_seconds = p_seconds,
    flood_until = greatest(flood_until, p_now + make_interval(secs => p_seconds)), updated_at = p_now
  where workspace_id = p_workspace_id and id = v_task.account_id
  returning title into v_title;
  perform accounts.note(p_workspace_id, 'account_flood_wait', v_task.account_id, v_task, p_error,
    jsonb_build_object('seconds', p_seconds, 'account', v_title), p_now);
  return v_is_ours;
end
$$;
