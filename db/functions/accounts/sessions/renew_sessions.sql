-- Renews the leases of this process's sessions, and tells which of them another process waits for. Sessions that are not in the
-- result were lost.
create or replace function accounts.renew_sessions(
  p_holder text, p_lease interval, p_now timestamptz default now()
) returns table (workspace_id uuid, account_id uuid, wanted boolean)
language sql as $$
  update accounts.session_leases l set held_until = p_now + p_lease
  where l.holder = p_holder
  returning l.workspace_id, l.account_id, l.wanted_at is not null
$$;
