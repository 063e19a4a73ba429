-- Which process has an account's session open. It uses the database's own time, not `p_now`: a lease is about live processes.
--
-- Takes a lease of the session. False if another process has it; that process is told that somebody waits.
create or replace function accounts.take_session(
  p_workspace_id uuid, p_account_id uuid, p_holder text, p_lease interval, p_now timestamptz default now()
) returns boolean
language plpgsql as $$
begin
  insert into accounts.session_leases as l (workspace_id, account_id, holder, held_until)
  values (p_workspace_id, p_account_id, p_holder, p_now + p_lease)
  on conflict (workspace_id, account_id) do update
    set holder = excluded.holder, held_until = excluded.held_until, wanted_at = null
    where l.holder = excluded.holder or l.held_until <= p_now;
  if found then
    return true;
  end if;
  update accounts.session_leases set wanted_at = p_now
  where workspace_id = p_workspace_id and account_id = p_account_id and holder <> p_holder;
  return false;
end
$$;
