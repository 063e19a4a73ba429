-- Whether a message may be one that we have sent without knowing its id yet.
create or replace function shopbot.may_be_ours(p_workspace uuid, p_chat_id text, p_provider_message_id text) returns boolean
language sql stable as $$
  select exists (
      select from shopbot.bot_outbox o
      where o.workspace_id = p_workspace and o.chat_id = p_chat_id and o.status in ('waiting', 'sending')
        and (o.status = 'sending' or o.doubtful))
    and not exists (
      select from shopbot.bot_outbox o
      where o.workspace_id = p_workspace and o.chat_id = p_chat_id and o.provider_message_id = p_provider_message_id)
$$;
