-- A temporary failure: retried at p_retry_at, or ended if it was the last attempt. Returns the new status.
create or replace function accounts.retry_task(
  p_workspace_id uuid, p_id uuid, p_claim_token uuid, p_reason text, p_words text, p_error jsonb, p_retry_at timestamptz,
  p_max_attempts int, p_now timestamptz default now()
) returns text
language plpgsql as $$
declare
  v_task accounts.queue;
begin
  update accounts.queue
  set status = case when attempts + 1 >= p_max_attempts then 'failed' else 'pending' end,
    attempts = attempts + 1, claim_token = null, started_at = null,
    scheduled_time = case when attempts + 1 >= p_max_attempts then scheduled_time else p_retry_at end,
    completed_at = case when attempts + 1 >= p_max_attempts then p_now end,
    reason = p_reason, last_error = p_words, updated_at = p_now
  where workspace_id = p_workspace_id and id = p_id and claim_token = p_claim_token
  returning * into v_task;
  if not found then
    return null;
  end if;
  update accounts.accounts set last_error = p_words
  where workspace_id = p_workspace_id and id = v_task.account_id and is_active;
  perform accounts.note(p_workspace_id,
    case v_task.status when 'failed' then 'account_failed' else 'account_retry' end, v_task.account_id, v_task, p_error,
    jsonb_build_object('next_retry_at', case v_task.status when 'pending' then p_retry_at end), p_now);
  return v_task.status;
end
$$;
