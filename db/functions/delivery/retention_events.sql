-- The audit trail goes by whole days: a partition is dropped when it is too old for every workspace. Workspaces that keep
-- less, and rows that found no partition, are deleted in batches.

create or replace function delivery.retention_events_kept(p_now timestamptz default now()) returns timestamptz
language sql stable as $$
  select p_now - make_interval(days => coalesce(max(r.events_days), (select events_days from delivery.retention_of('{}'))))
  from workspaces.workspaces w, delivery.retention_of(w.settings) r
$$;

create or replace function delivery.retention_event_partitions(p_now timestamptz default now()) returns setof text
language sql stable as $$
  select c.relname
  from pg_inherits i
  join pg_class c on c.oid = i.inhrelid
  where i.inhparent = 'workspaces.events'::regclass
    and substring(pg_get_expr(c.relpartbound, c.oid) from $r$ TO \('([^']+)'\)$r$)::timestamptz
        <= delivery.retention_events_kept(p_now)
  order by 1
$$;

-- Dropping locks the whole trail for a moment, and waiting for that lock would make every writer wait behind us: the caller
-- sets a short lock_timeout and tries again later. Runs with the rights of the tables' owner, and drops nothing but days.
create or replace function delivery.retention_drop_partition(p_partition text, p_now timestamptz default now()) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if p_partition not in (select delivery.retention_event_partitions(p_now)) then
    return false;
  end if;
  execute format('drop table workspaces.%I', p_partition);
  return true;
end
$$;

-- For a workspace that keeps less than another one; the days of the others are dropped whole. Uses events_by_time.
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

-- Rows of any workspace, living or deleted, that lie outside the days.
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
