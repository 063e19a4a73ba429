-- Keeps every session of this process for another while, and says which of them somebody waits for. What is not among
-- them has been lost.
create or replace function accounts.renew_sessions(
  p_holder text, p_lease interval, p_now timestamptz default now()
) returns table (workspace_id uuid, account_id uuid, wanted boolean)
language sql as $$
  update accounts.session_leases l set held_until = p_now + p_lease
  where l.holder = p_holder
  returning l.workspace_id, l.account_id, l.wanted_at is not null
$$;
