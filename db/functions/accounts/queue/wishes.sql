-- What the configurations ask for, in their order: all chats of the first object, then of the second; with its facts.
create or replace function accounts.wishes(p_workspace_id uuid, p_object_id uuid default null) returns table (
  object_id uuid, owner text, account_id uuid, chat_id uuid, place bigint, facts jsonb)
language sql stable as $$
  select w.object_id, w.owner, w.account_id, w.chat_id, row_number() over (order by w.created_at, w.object_id, w.entry, w.chat),
    to_jsonb(f)
  from (
    select c.object_id, o.owner, (e.value ->> 'account_id')::uuid as account_id, (h.value #>> '{}')::uuid as chat_id,
      c.created_at, e.ordinality as entry, h.ordinality as chat
    from accounts.autopublish c
    join accounts.objects o on o.workspace_id = c.workspace_id and o.id = c.object_id
    cross join lateral jsonb_array_elements(c.accounts_config) with ordinality as e
    cross join lateral jsonb_array_elements(e.value -> 'chat_ids') with ordinality as h
    where c.workspace_id = p_workspace_id and (p_object_id is null or c.object_id = p_object_id)
      and (c.enabled or p_object_id is not null)
  ) w
  cross join lateral accounts.task_facts(p_workspace_id, w.object_id, w.chat_id, w.account_id) f
$$;
