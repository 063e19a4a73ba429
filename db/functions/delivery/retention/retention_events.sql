-- For a workspace that keeps events for less time than another one; otherwise whole days are dropped. Uses events_by_time.
create or replace function delivery.retention_events(
  p_workspace_id uuid, p_after timestamptz, p_limit int, p_now timestamptz default now(), out removed int, out next timestamptz)
language plpgsql as $$
declare
  v_cutoff constant timestamptz := (select events from delivery.retention_cutoff(p_workspace_id, p_now));
begin
  if v_cutoff is null or v_cutoff <= delivery.retention_events_kept(p_now) then
    removed := 0;
    return;
  end if;
  with due as materialized (
    select e.ts, e.id
    from workspaces.events e
    where e.workspace_id = p_workspace_id and e.ts >= coalesce(p_after, '-infinity') and e.ts < v_cutoff
    order by e.ts
    limit p_limit
  ),
  gone as (
    delete from workspaces.events e using due
    where e.workspace_id = p_workspace_id and e.ts = due.ts and e.id = due.id
    returning 1
  )
  select (select count(*) from gone), case when count(*) = p_limit then max(due.ts) end into removed, next from due;
end
$$;
