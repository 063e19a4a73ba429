-- The facts that decide whether an account may publish an object in a chat. The decision is in TypeScript: `objectionTo`.
create or replace function accounts.task_facts(
  p_workspace_id uuid, p_object_id uuid, p_chat_id uuid, p_account_id uuid
) returns table (
  object_exists boolean, object_archived boolean, has_config boolean, enabled boolean, accounts_enabled boolean,
  in_config boolean, format text, account_exists boolean, account_connected boolean, account_active boolean, chat_exists boolean,
  chat_joined boolean, chat_active boolean, chat_of_user boolean, linked boolean, can_write boolean, slow_mode_until timestamptz,
  last_published_at timestamptz)
language sql stable as $$
  select o.id is not null, o.archived_at is not null, c.object_id is not null, coalesce(c.enabled, false),
    coalesce(c.accounts_enabled, false),
    c.accounts_config @> jsonb_build_array(
      jsonb_build_object('account_id', p_account_id, 'chat_ids', jsonb_build_array(p_chat_id))) is true,
    coalesce(c.format, 'default'), a.id is not null, a.connected_at is not null, coalesce(a.is_active, false), h.id is not null,
    h.telegram_chat_id is not null, coalesce(h.is_active, false), coalesce(h.owner_type = 'user', false),
    l.account_id is not null or coalesce(h.owner_account_id = p_account_id, false), coalesce(l.can_write, true),
    l.slow_mode_until,
    (select max(published_at) from accounts.history y
     where y.workspace_id = p_workspace_id and y.object_id = p_object_id and y.chat_id = p_chat_id
       and y.account_id = p_account_id and not y.deleted)
  from (values (1)) as one (row)
  left join accounts.objects o on o.workspace_id = p_workspace_id and o.id = p_object_id
  left join accounts.autopublish c on c.workspace_id = p_workspace_id and c.object_id = p_object_id
  left join accounts.accounts a on a.workspace_id = p_workspace_id and a.id = p_account_id
  left join accounts.chats h on h.workspace_id = p_workspace_id and h.id = p_chat_id
  left join accounts.account_chats l
    on l.workspace_id = p_workspace_id and l.account_id = p_account_id and l.chat_id = p_chat_id
$$;
