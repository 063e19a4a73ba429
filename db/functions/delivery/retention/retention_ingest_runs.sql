-- Deletes ingest runs, which are kept as long as their deliveries. Uses ingest_runs_by_time.
create or replace function delivery.retention_ingest_runs(
  p_workspace_id uuid, p_after timestamptz, p_limit int, p_now timestamptz default now(), out removed int, out next timestamptz)
language sql as $$
  with due as materialized (
    select r.run_id, r.started_at
    from delivery.ingest_runs r
    where r.workspace_id = p_workspace_id
      and r.started_at >= coalesce(p_after, '-infinity')
      and r.started_at < (select deliveries from delivery.retention_cutoff(p_workspace_id, p_now))
    order by r.started_at
    limit p_limit
    for update skip locked
  ),
  gone as (
    delete from delivery.ingest_runs r using due
    where r.workspace_id = p_workspace_id and r.run_id = due.run_id
    returning 1
  )
  select (select count(*) from gone)::int, case when count(*) = p_limit then max(started_at) end from due
$$;
