-- Returns a task to the queue for later; no attempt is counted.
create or replace function accounts.postpone_task(
  p_workspace_id uuid, p_id uuid, p_claim_token uuid, p_until timestamptz, p_reason text, p_words text,
  p_now timestamptz default now()
) returns boolean
language plpgsql as $$
declare
  v_task accounts.queue;
begin
  update accounts.queue
  set status = 'pending', scheduled_time = p_until, started_at = null, claim_token = null, reason = p_reason,
    last_error = p_words, updated_at = p_now
  where workspace_id = p_workspace_id and id = p_id and claim_token = p_claim_token
  returning * into v_task;
  if not found then
    return false;
  end if;
  perform accounts.note(p_workspace_id, 'account_postponed', v_task.account_id, v_task, null,
    jsonb_build_object('reason', p_reason, 'until', p_until), p_now);
  return true;
end
$$;
