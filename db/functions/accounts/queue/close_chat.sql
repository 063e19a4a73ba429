-- The account may not write in this chat: the link is switched off and its tasks end.
create or replace function accounts.close_chat(
  p_workspace_id uuid, p_id uuid, p_claim_token uuid, p_code text, p_words text, p_error jsonb,
  p_now timestamptz default now()
) returns boolean
language plpgsql as $$
declare
  v_task accounts.queue;
begin
  if not accounts.fail_task(p_workspace_id, p_id, p_claim_token, p_code, p_words, p_error, p_now) then
    return false;
  end if;
  select * into v_task from accounts.queue where workspace_id = p_workspace_id and id = p_id;
  insert into accounts.account_chats
    (workspace_id, account_id, chat_id, can_write, stopped_code, last_error, created_at, updated_at)
  select p_workspace_id, v_task.account_id, v_task.chat_id, false, p_code, p_words, p_now, p_now
  where exists (select from accounts.chats where workspace_id = p_workspace_id and id = v_task.chat_id)
  on conflict (workspace_id, account_id, chat_id) do update
    set can_write = false, stopped_code = p_code, last_error = p_words, updated_at = p_now;
  perform accounts.note(p_workspace_id, 'account_chat_closed', v_task.account_id, v_task, p_error,
    jsonb_build_object('code', p_code), p_now);
  perform accounts.cancel_tasks(p_workspace_id, jsonb_build_object('account_id', v_task.account_id, 'chat_id', v_task.chat_id),
    p_code, p_words, null, p_now);
  return true;
end
$$;
