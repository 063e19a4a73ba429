-- Stores a chat from Telegram, and that the account is in it. `p_placeholder` is the chat's row from before it was joined: it
-- becomes the chat, or its links move to the chat if that exists already.
create or replace function accounts.keep_chat(
  p_workspace_id uuid, p_account_id uuid, p_chat jsonb, p_placeholder uuid default null, p_now timestamptz default now()
) returns uuid
language plpgsql as $$
declare
  v_telegram_id bigint := (p_chat ->> 'chat_id')::bigint;
  v_chat_id     uuid;
begin
  -- Two accounts may store the same chat at once.
  perform pg_advisory_xact_lock(hashtextextended('accounts.chat ' || p_workspace_id || v_telegram_id, 0));
  select id into v_chat_id from accounts.chats
  where workspace_id = p_workspace_id and telegram_chat_id = v_telegram_id;
  if v_chat_id is null then
    update accounts.chats set telegram_chat_id = v_telegram_id, type = p_chat ->> 'type'
    where workspace_id = p_workspace_id and id = p_placeholder and telegram_chat_id is null
    returning id into v_chat_id;
  end if;
  if v_chat_id is null then
    insert into accounts.chats (workspace_id, telegram_chat_id, title, type, created_at, updated_at)
    values (p_workspace_id, v_telegram_id, p_chat ->> 'title', p_chat ->> 'type', p_now, p_now)
    returning id into v_chat_id;
  end if;
  update accounts.chats
  set title = p_chat ->> 'title', type = p_chat ->> 'type', username = p_chat ->> 'username',
      members = coalesce((p_chat ->> 'members')::int, members), cached_at = p_now, updated_at = p_now
  where workspace_id = p_workspace_id and id = v_chat_id;
  if p_placeholder <> v_chat_id then
    update accounts.chat_links set chat_id = v_chat_id where workspace_id = p_workspace_id and chat_id = p_placeholder;
    delete from accounts.chats where workspace_id = p_workspace_id and id = p_placeholder and telegram_chat_id is null;
  end if;

  insert into accounts.account_chats as l (workspace_id, account_id, chat_id, slow_mode_seconds, created_at, updated_at)
  values (p_workspace_id, p_account_id, v_chat_id, (p_chat ->> 'slow_mode_seconds')::int, p_now, p_now)
  on conflict (workspace_id, account_id, chat_id) do update
    set can_write = true, stopped_code = null, last_error = null, slow_mode_seconds = excluded.slow_mode_seconds,
        updated_at = p_now;
  return v_chat_id;
end
$$;
