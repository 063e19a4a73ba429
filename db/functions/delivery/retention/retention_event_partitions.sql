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
