-- Deletes what is left of drafts that were sent: a request that came twice was answered long ago. Uses drafts_sent.
create or replace function delivery.retention_drafts(
  p_after timestamptz, p_limit int, p_now timestamptz default now(), out removed int, out next timestamptz)
language sql as $$
  with due as materialized (
    select d.workspace_id, d.draft_id, d.sent_at
    from delivery.drafts d
    where d.sent_at >= coalesce(p_after, '-infinity') and d.sent_at < p_now - interval '1 day'
    order by d.sent_at
    limit p_limit
    for update skip locked
  ),
  gone as (
    delete from delivery.drafts d using due
    where d.workspace_id = due.workspace_id and d.draft_id = due.draft_id
    returning 1
  )
  select (select count(*) from gone)::int, case when count(*) = p_limit then max(sent_at) end from due
$$;
