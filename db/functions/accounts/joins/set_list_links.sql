-- Sets the links of a list, in their order. A link that is new to the workspace gets a placeholder chat; the placeholder of a
-- link that is in no list any more is deleted, unless an account has joined it.
create or replace function accounts.set_list_links(
  p_workspace_id uuid, p_list_id uuid, p_links text[], p_keys text[], p_now timestamptz default now()
) returns void
language plpgsql as $$
declare
  v_key  text;
  v_link text;
  v_chat uuid;
begin
  perform pg_advisory_xact_lock(hashtextextended('accounts.chat_links ' || p_workspace_id, 0));
  for v_key, v_link in select * from unnest(p_keys, p_links) loop
    continue when exists (select from accounts.chat_links where workspace_id = p_workspace_id and key = v_key);
    insert into accounts.chats (workspace_id, title, created_at, updated_at)
    values (p_workspace_id, v_link, p_now, p_now) returning id into v_chat;
    insert into accounts.chat_links (workspace_id, key, link, chat_id, created_at)
    values (p_workspace_id, v_key, v_link, v_chat, p_now);
  end loop;
  delete from accounts.chat_list_links where workspace_id = p_workspace_id and list_id = p_list_id;
  insert into accounts.chat_list_links (workspace_id, list_id, place, key)
  select p_workspace_id, p_list_id, place, key from unnest(p_keys) with ordinality as links (key, place);
  perform accounts.forget_placeholders(p_workspace_id);
end
$$;
