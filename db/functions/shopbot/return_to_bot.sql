-- Returns the chat to the bot. False if the bot had it already. Its row is locked first, as in the engine, so that a running
-- turn cannot write back an outdated state.
create or replace function shopbot.return_to_bot(
  p_workspace_id uuid, p_chat_id text, p_now timestamptz default now()
) returns boolean
language plpgsql as $$
begin
  perform from shopbot.bot_chats where workspace_id = p_workspace_id and chat_id = p_chat_id for update;
  update shopbot.bot_state
  set state = 'default', context = '{"turns": 0}', expires_at = null, updated_at = p_now
  where workspace_id = p_workspace_id and chat_id = p_chat_id and state = 'operator'
    and (expires_at is null or expires_at > p_now);
  if not found then
    return false;
  end if;
  update shopbot.bot_chats set called_at = null
  where workspace_id = p_workspace_id and chat_id = p_chat_id and called_at is not null;
  return true;
end
$$;
