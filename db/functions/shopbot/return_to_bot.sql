-- The chat is the bot's again. False when it was already. Its row is locked first, as the engine does, so that a turn under
-- way cannot write back the state it has read.
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
