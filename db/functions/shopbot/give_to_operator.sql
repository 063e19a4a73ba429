-- Gives the chat to a person, until it is returned or nobody writes in it for a while. False if there is no such chat.
create or replace function shopbot.give_to_operator(
  p_workspace_id uuid, p_chat_id text, p_minutes int, p_now timestamptz default now()
) returns boolean
language plpgsql as $$
begin
  perform from shopbot.bot_chats where workspace_id = p_workspace_id and chat_id = p_chat_id for update;
  if not found then
    return false;
  end if;
  insert into shopbot.bot_state (workspace_id, chat_id, state, context, expires_at, updated_at)
  values (p_workspace_id, p_chat_id, 'operator', '{"turns": 0}', p_now + make_interval(mins => p_minutes), p_now)
  on conflict (workspace_id, chat_id) do update
    set state = 'operator', context = '{"turns": 0}', expires_at = excluded.expires_at, updated_at = p_now;
  -- An operator has answered: the customer no longer waits.
  update shopbot.bot_chats set called_at = null
  where workspace_id = p_workspace_id and chat_id = p_chat_id and called_at is not null;
  -- A notice that nobody answered may have been queued meanwhile; unless it was sent, it is no longer true.
  delete from shopbot.bot_outbox
  where workspace_id = p_workspace_id and chat_id = p_chat_id and kind = 'notice' and status = 'waiting'
    and inbound_provider_message_id like 'call:%';
  return true;
end
$$;
