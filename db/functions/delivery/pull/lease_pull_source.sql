-- Leases one source by name, whether it is due or not. No row while another run holds it.
create or replace function delivery.lease_pull_source(
  p_workspace_id uuid, p_source_id text, p_lease interval, p_now timestamptz default now()
) returns setof delivery.pull_sources
language plpgsql as $$
declare
  v_source delivery.pull_sources;
begin
  for v_source in
    select * from delivery.pull_sources
    where workspace_id = p_workspace_id and source_id = p_source_id
      and enabled and coalesce(leased_until, '-infinity') <= p_now
    for no key update skip locked
  loop
    return next delivery.lease_source(v_source, p_lease, p_now);
  end loop;
end
$$;
