-- Deletes finished deliveries by the time they finished, with their corrections; one that is being corrected stays. Scans the
-- primary key: ids sort by time, and none finishes before it was created.
create or replace function delivery.retention_deliveries(
  p_workspace_id uuid, p_after uuid, p_limit int, p_now timestamptz default now(), out removed int, out next uuid)
language plpgsql as $$
declare
  v_cutoff  constant timestamptz := (select deliveries from delivery.retention_cutoff(p_workspace_id, p_now));
  v_stretch record;
  v_seen    int;
begin
  select * into v_stretch from delivery.retention_stretch(v_cutoff, p_after, p_now);
  with seen as materialized (
    select d.delivery_id
    from delivery.deliveries d
    where d.workspace_id = p_workspace_id and d.delivery_id > v_stretch.from_id and d.delivery_id < v_stretch.to_id
    order by d.delivery_id
    limit p_limit
  ),
  due as materialized (
    select d.delivery_id
    from delivery.deliveries d
    where d.workspace_id = p_workspace_id and d.delivery_id in (select s.delivery_id from seen s)
      and d.status in ('sent', 'deduped', 'failed_permanent', 'dead') and d.updated_at < v_cutoff
      and not exists (
        select from delivery.corrections c
        where c.workspace_id = p_workspace_id and c.delivery_id = d.delivery_id and c.status in ('queued', 'retry', 'sending'))
    for update skip locked
  ),
  gone as (
    delete from delivery.deliveries d using due
    where d.workspace_id = p_workspace_id and d.delivery_id = due.delivery_id
    returning 1
  )
  select (select count(*) from gone), count(*), max(s.delivery_id::text)::uuid into removed, v_seen, next from seen s;
  if v_seen < p_limit then
    next := v_stretch.next;
  end if;
end
$$;
