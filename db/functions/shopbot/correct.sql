-- A customer edited a message. While it waits, the new text will be answered; after that it is too late.
create or replace function shopbot.correct(
  p_workspace_id uuid, p_provider text, p_chat_id text, p_provider_message_id text, p_text text
) returns boolean
language plpgsql as $$
begin
  update shopbot.bot_inbox
  set body = jsonb_set(body, '{text}', to_jsonb(p_text))
  where workspace_id = p_workspace_id and provider = p_provider and chat_id = p_chat_id
    and provider_message_id = p_provider_message_id and processed_at is null;
  return found;
end
$$;
