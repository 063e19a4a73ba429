-- Locks the row of the account's pace, and creates it if missing, so that concurrent sends update it one after the other.
create or replace function accounts.pace_lock(p_workspace_id uuid, p_account_id uuid, p_now timestamptz default now())
returns void
language plpgsql as $$
begin
  insert into accounts.pace (workspace_id, account_id, updated_at) values (p_workspace_id, p_account_id, p_now)
  on conflict do nothing;
  perform from accounts.pace where workspace_id = p_workspace_id and account_id = p_account_id for no key update;
end
$$;
