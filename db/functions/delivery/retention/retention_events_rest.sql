-- Deletes rows of any workspace, existing or deleted, that are outside the partitions of days.
create or replace function delivery.retention_events_rest(p_limit int, p_now timestamptz default now()) returns int
language sql as $$
  with gone as (
    delete from workspaces.events_rest r
    where r.ctid = any (array(
      select e.ctid from workspaces.events_rest e where e.ts < delivery.retention_events_kept(p_now) limit p_limit))
    returning 1
  )
  select count(*)::int from gone
$$;
