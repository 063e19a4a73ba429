create or replace function accounts.free_session(p_workspace_id uuid, p_account_id uuid, p_holder text) returns void
language sql as $$
  delete from accounts.session_leases
  where workspace_id = p_workspace_id and account_id = p_account_id and holder = p_holder
$$;
