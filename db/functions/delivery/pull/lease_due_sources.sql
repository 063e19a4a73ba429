-- Sources that are due, each with its own lease. The lease's name is the id of the run that it opens. Workspaces take turns:
-- the second source of one comes after the first of every other. `p_in_hand` has the runs that the caller is still busy with,
-- which are not taken again even if their leases have expired.
create or replace function delivery.lease_due_sources(
  p_places int, p_lease interval, p_busy uuid[] default '{}', p_in_hand text[] default '{}',
  p_now timestamptz default now()
) returns setof delivery.pull_sources
language plpgsql as $$
declare
  v_source delivery.pull_sources;
begin
  for v_source in
    with due as (
      select s.workspace_id, s.source_id,
        row_number() over (partition by s.workspace_id order by s.next_run_at, s.source_id) as turn
      from delivery.pull_sources s
      join workspaces.workspaces w using (workspace_id)
      where s.enabled and s.next_run_at <= p_now and coalesce(s.leased_until, '-infinity') <= p_now
        and w.status = 'active' and coalesce(s.leased_by, '') <> all (p_in_hand)
    )
    select s.* from delivery.pull_sources s
    join due using (workspace_id, source_id)
    where turn <= delivery.pull_room(s.workspace_id, p_places, p_busy)
      -- Checked again on the locked row: another process may have just returned it.
      and s.enabled and s.next_run_at <= p_now and coalesce(s.leased_until, '-infinity') <= p_now
    order by turn + (select count(*) from unnest(p_busy) as busy where busy = s.workspace_id), s.next_run_at
    limit greatest(p_places - cardinality(p_busy), 0)
    for no key update of s skip locked
  loop
    return next delivery.lease_source(v_source, p_lease, p_now);
  end loop;
end
$$;
