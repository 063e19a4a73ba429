-- Runs that have joined and whose lock is free at this moment.
create or replace function delivery.missing_runs() returns text[]
language sql stable as $$
  select coalesce(array_agg(r.run_id), '{}')
  from delivery.dispatcher_runs r
  where not exists (
    select from pg_locks l
    where l.locktype = 'advisory' and l.granted and l.objsubid = 1
      and l.database = (select oid from pg_database where datname = current_database())
      and (l.classid::bigint << 32 | l.objid::bigint) = delivery.run_lock(r.run_id))
$$;
