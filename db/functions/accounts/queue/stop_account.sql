-- The account can do nothing any more. Its task did not cause this, so it waits with the others for the account's return.
create or replace function accounts.stop_account(
  p_workspace_id uuid, p_id uuid, p_claim_token uuid, p_code text, p_words text, p_error jsonb,
  p_now timestamptz default now()
) returns boolean
language plpgsql as $$
declare
  v_task    accounts.queue;
  v_is_ours boolean;
  v_title   text;
begin
  update accounts.queue
  set status = 'pending', started_at = null, claim_token = null, reason = p_code, last_error = p_words, updated_at = p_now
  where workspace_id = p_workspace_id and id = p_id and claim_token = p_claim_token;
  v_is_ours := found;
  select * into v_task from accounts.queue where workspace_id = p_workspace_id and id = p_id;
  update accounts.accounts
  set is_active = false, stopped_code = p_code, stopped_at = p_now, last_error = p_words, updated_at = p_now
  where workspace_id = p_workspace_id and id = v_task.account_id
  returning title into v_title;
  perform accounts.note(p_workspace_id, 'account_stopped', v_task.account_id, v_task, p_error,
    jsonb_build_object('code', p_code, 'account', v_title), p_now);
  return v_is_ours;
end
$$;
