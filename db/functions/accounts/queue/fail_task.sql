-- Ends a task without a publication. `p_error` is Telegram's error, if it was asked at all: only then an attempt is counted.
create or replace function accounts.fail_task(
  p_workspace_id uuid, p_id uuid, p_claim_token uuid, p_reason text, p_words text, p_error jsonb default null,
  p_now timestamptz default now()
) returns boolean
language plpgsql as $$
declare
  v_task accounts.queue;
begin
  update accounts.queue
  set status = 'failed', claim_token = null, completed_at = p_now, reason = p_reason, last_error = p_words,
    attempts = attempts + case when p_error is null then 0 else 1 end, updated_at = p_now
  where workspace_id = p_workspace_id and id = p_id and claim_token = p_claim_token
  returning * into v_task;
  if not found then
    return false;
  end if;
  perform accounts.note(p_workspace_id, 'account_failed', v_task.account_id, v_task,
    coalesce(p_error, accounts.error_of(p_reason, p_words, 'delivery')), '{}', p_now);
  return true;
end
$$;
