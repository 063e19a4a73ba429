create or replace function accounts.forget_placeholders(p_workspace_id uuid) returns void
language sql as $$
  delete from accounts.chats c
  using accounts.chat_links k
  where k.workspace_id = p_workspace_id and c.workspace_id = p_workspace_id and c.id = k.chat_id and c.telegram_chat_id is null
    and not exists (select from accounts.chat_list_links l where l.workspace_id = p_workspace_id and l.key = k.key)
    and not exists (select from accounts.join_steps s
                    where s.workspace_id = p_workspace_id and s.chat_id = c.id and s.state = 'waiting')
$$;
