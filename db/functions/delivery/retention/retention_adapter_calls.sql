-- Deletes calls that nobody repeats any more. Uses adapter_calls_by_age.
create or replace function delivery.retention_adapter_calls(
  p_after timestamptz, p_limit int, p_now timestamptz default now(), out removed int, out next timestamptz)
language sql as $$
  with due as materialized (
    select c.workspace_id, c.call_key, c.started_at
    from delivery.adapter_calls c
    where c.started_at >= coalesce(p_after, '-infinity') and c.started_at < p_now - interval '7 days'
    order by c.started_at
    limit p_limit
    for update skip locked
  ),
  gone as (
    delete from delivery.adapter_calls c using due
    where c.workspace_id = due.workspace_id and c.call_key = due.call_key
    returning 1
  )
  select (select count(*) from gone)::int, case when count(*) = p_limit then max(started_at) end from due
$$;
