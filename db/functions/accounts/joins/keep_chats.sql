-- Stores all chats that the account can write to now. Chats that it has left stay, with the reason.
create or replace function accounts.keep_chats(
  p_workspace_id uuid, p_account_id uuid, p_chats jsonb, p_now timestamptz default now()
) returns table (chats_found int, chats_added int, chats_lost int)
language plpgsql as $$
declare
  v_before uuid[] := array(select chat_id from accounts.account_chats
                           where workspace_id = p_workspace_id and account_id = p_account_id);
  v_now    uuid[];
begin
  -- Ordered by id, so that two accounts with the same chats never deadlock.
  select coalesce(array_agg(accounts.keep_chat(p_workspace_id, p_account_id, chat, null, p_now)), '{}') into v_now
  from (select chat from jsonb_array_elements(p_chats) as chat order by (chat ->> 'chat_id')::bigint) as chats;
  update accounts.account_chats
  set can_write = false, stopped_code = 'not_in_chat', last_error = 'Telegram no longer lists the chat among those it may write to',
      updated_at = p_now
  where workspace_id = p_workspace_id and account_id = p_account_id and not chat_id = any (v_now) and can_write;
  get diagnostics chats_lost = row_count;
  chats_found := cardinality(v_now);
  chats_added := (select count(*) from unnest(v_now) as id where not id = any (v_before));
  return next;
end
$$;
