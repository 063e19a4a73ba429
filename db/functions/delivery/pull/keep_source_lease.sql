-- Locks the source until commit and extends the lease. False if somebody else has the lease: then stop.
create or replace function delivery.keep_source_lease(
  p_workspace_id uuid, p_source_id text, p_run_id text, p_lease interval, p_now timestamptz default now()
) returns boolean
language plpgsql as $$
begin
  update delivery.pull_sources
  set leased_until = greatest(leased_until, p_now + p_lease)
  where workspace_id = p_workspace_id and source_id = p_source_id and leased_by = p_run_id;
  return found;
end
$$;
