-- Deletes an account with all its data. Configurations no longer name it; chats without another account or a list are deleted
-- too.
create or replace function accounts.delete_account(p_workspace_id uuid, p_account_id uuid, p_now timestamptz default now())
returns table (tasks int, history int, chats int, objects int)
language plpgsql as $$
declare
  v_chats uuid[] := array(
    select chat_id from accounts.account_chats where workspace_id = p_workspace_id and account_id = p_account_id
    union
    select id from accounts.chats where workspace_id = p_workspace_id and owner_account_id = p_account_id);
begin
  tasks := (select count(*) from accounts.queue q where q.workspace_id = p_workspace_id and q.account_id = p_account_id);
  history := (select count(*) from accounts.history h where h.workspace_id = p_workspace_id and h.account_id = p_account_id);
  chats := cardinality(v_chats);
  update accounts.autopublish a
  set accounts_config = coalesce((
        select jsonb_agg(entry order by place)
        from jsonb_array_elements(a.accounts_config) with ordinality as entries (entry, place)
        where entry ->> 'account_id' <> p_account_id::text), '[]'),
      updated_at = p_now
  where a.workspace_id = p_workspace_id
    and a.accounts_config @> jsonb_build_array(jsonb_build_object('account_id', p_account_id));
  get diagnostics objects = row_count;
  -- A sign-in writes these before the account exists, so no foreign key deletes them.
  delete from accounts.session_values where workspace_id = p_workspace_id and account_id = p_account_id;
  delete from accounts.session_leases where workspace_id = p_workspace_id and account_id = p_account_id;
  delete from accounts.proxies where workspace_id = p_workspace_id and account_id = p_account_id;
  delete from accounts.login_attempts where workspace_id = p_workspace_id and account_id = p_account_id;
  delete from accounts.accounts where workspace_id = p_workspace_id and id = p_account_id;
  delete from accounts.chats c
  where c.workspace_id = p_workspace_id and c.id = any (v_chats) and c.owner_type = 'user' and c.owner_account_id is null
    and not exists (select from accounts.account_chats l where l.workspace_id = p_workspace_id and l.chat_id = c.id)
    and not exists (select from accounts.chat_links k where k.workspace_id = p_workspace_id and k.chat_id = c.id);
  return next;
end
$$;
