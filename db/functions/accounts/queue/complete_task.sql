create or replace function accounts.complete_task(
  p_workspace_id uuid, p_id uuid, p_claim_token uuid, p_message_id text, p_url text, p_meta jsonb default '{}',
  p_now timestamptz default now()
) returns boolean
language plpgsql as $$
declare
  v_task accounts.queue;
begin
  update accounts.queue
  set status = 'completed', completed_at = p_now, message_id = p_message_id, claim_token = null, reason = null,
    last_error = null, updated_at = p_now
  where workspace_id = p_workspace_id and id = p_id and claim_token = p_claim_token
  returning * into v_task;
  if not found then
    return false;
  end if;
  insert into accounts.history (workspace_id, queue_id, object_id, chat_id, account_id, published_at, message_id, url)
  values (p_workspace_id, p_id, v_task.object_id, v_task.chat_id, v_task.account_id, p_now, p_message_id, p_url);
  update accounts.chats
  set published_count = published_count + 1, last_published_at = p_now
  where workspace_id = p_workspace_id and id = v_task.chat_id;
  update accounts.accounts
  set last_used_at = p_now, last_error = null
  where workspace_id = p_workspace_id and id = v_task.account_id and is_active;
  perform accounts.note(p_workspace_id, 'account_sent', v_task.account_id, v_task, null,
    jsonb_build_object('provider_message_id', p_message_id, 'url', p_url) || p_meta, p_now);
  return true;
end
$$;
