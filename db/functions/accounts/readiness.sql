-- Every account and chat that the configurations name, in their order, and what keeps them from publishing: null for a pair
-- that can. Of one object, or of all that are not archived.
create or replace function accounts.config_pairs(p_workspace_id uuid, p_object_id uuid default null)
returns table (object_id uuid, place bigint, account_id uuid, chat_id uuid, account text, chat text, reason text)
language sql stable as $$
  select p.object_id, row_number() over (partition by p.object_id order by e.place, c.place), e.account_id, c.chat_id,
    a.title, t.title,
    case
      when a.id is null then 'account_missing'
      when not a.is_active then 'account_inactive'
      when a.connected_at is null then 'account_not_connected'
      when c.chat_id is null then 'no_chats'
      when t.id is null then 'chat_missing'
      when t.owner_type <> 'user' then 'chat_of_bot'
      when not t.is_active then 'chat_inactive'
      when l.chat_id is null and t.owner_account_id is distinct from a.id then 'chat_not_linked'
      when not coalesce(l.can_write, true) then 'chat_not_writable'
    end
  from accounts.autopublish p
  join accounts.objects o on o.workspace_id = p.workspace_id and o.id = p.object_id
  cross join lateral (
    select (entry ->> 'account_id')::uuid as account_id, entry -> 'chat_ids' as chats, place
    from jsonb_array_elements(p.accounts_config) with ordinality as entries (entry, place)
  ) e
  left join lateral (
    select chat::uuid as chat_id, place from jsonb_array_elements_text(e.chats) with ordinality as ids (chat, place)
  ) c on true
  left join accounts.accounts a on a.workspace_id = p.workspace_id and a.id = e.account_id
  left join accounts.chats t on t.workspace_id = p.workspace_id and t.id = c.chat_id
  left join accounts.account_chats l on l.workspace_id = p.workspace_id and l.account_id = e.account_id and l.chat_id = c.chat_id
  where p.workspace_id = p_workspace_id
    and case when p_object_id is null then o.archived_at is null else p.object_id = p_object_id end
$$;

-- Whether an object can be published by accounts, and the first of the reasons against it.
create or replace function accounts.readiness(
  p_workspace_id uuid, p_object_id uuid default null, p_owner text default null, p_most int default 10)
returns table (object_id uuid, title text, owner text, ready boolean, usable int, hindered int, reasons jsonb)
language sql stable as $$
  select o.id, o.title, o.owner, g.reason is null and coalesce(n.usable, 0) > 0, coalesce(n.usable, 0), coalesce(n.hindered, 0),
    case when g.reason is null then '[]' else jsonb_build_array(jsonb_build_object('code', g.reason)) end || coalesce(n.reasons, '[]')
  from accounts.objects o
  left join accounts.autopublish p on p.workspace_id = o.workspace_id and p.object_id = o.id
  cross join lateral (
    select case
      when o.archived_at is not null then 'object_archived'
      when coalesce(o.texts ->> 'default', o.texts ->> 'compact') is null then 'no_text'
      when p.object_id is null then 'no_config'
      when not p.enabled then 'autopublish_off'
      when not p.accounts_enabled then 'accounts_off'
      when p.accounts_config = '[]' then 'no_accounts'
    end
  ) as g (reason)
  left join lateral (
    select (count(*) filter (where c.reason is null))::int as usable, (count(*) filter (where c.reason is not null))::int as hindered,
      coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('code', c.reason, 'account_id', c.account_id, 'account', c.account,
          'chat_id', c.chat_id, 'chat', c.chat)) order by c.place)
        filter (where c.reason is not null and c.rank <= p_most), '[]') as reasons
    from (
      select pair.*, row_number() over (partition by pair.reason is null order by pair.place) as rank
      from accounts.config_pairs(p_workspace_id, o.id) pair
    ) c
  ) n on p.object_id is not null
  where o.workspace_id = p_workspace_id and (p_owner is null or o.owner = p_owner)
    and case when p_object_id is null then p.enabled and o.archived_at is null else o.id = p_object_id end
  order by o.created_at, o.id
$$;
