-- The chat's slow mode: this chat waits, for this account; no attempt is counted.
create or replace function accounts.slow_chat(
  p_workspace_id uuid, p_id uuid, p_claim_token uuid, p_seconds int, p_words text, p_now timestamptz default now()
) returns boolean
language plpgsql as $$
declare
  v_task  accounts.queue;
  v_until timestamptz := p_now + make_interval(secs => p_seconds);
begin
  if not accounts.postpone_task(p_workspace_id, p_id, p_claim_token, v_until, 'slow_mode', p_words, p_now) then
    return false;
  end if;
  select * into v_task from accounts.queue where workspace_id = p_workspace_id and id = p_id;
  insert into accounts.account_chats (workspace_id, account_id, chat_id, slow_mode_seconds, slow_mode_until, created_at, updated_at)
  select p_workspace_id, v_task.account_id, v_task.chat_id, p_seconds, v_until, p_now, p_now
  where exists (select from accounts.chats where workspace_id = p_workspace_id and id = v_task.chat_id)
  on conflict (workspace_id, account_id, chat_id) do update
    -- Telegram tells only the remaining wait, so the longest known one is closest to the real setting.
    set slow_mode_seconds = greatest(accounts.account_chats.slow_mode_seconds, p_seconds), slow_mode_until = v_until,
      updated_at = p_now;
  return true;
end
$$;
