-- Deletes messages of webhooks with their attempts, which are kept as long as events. Uses webhook_messages_by_time.
create or replace function delivery.retention_webhook_messages(
  p_workspace_id uuid, p_after timestamptz, p_limit int, p_now timestamptz default now(), out removed int, out next timestamptz)
language sql as $$
  with due as materialized (
    select m.webhook_id, m.event_id, m.created_at
    from delivery.webhook_messages m
    where m.workspace_id = p_workspace_id
      and m.created_at >= coalesce(p_after, '-infinity')
      and m.created_at < (select events from delivery.retention_cutoff(p_workspace_id, p_now))
      and m.status <> 'waiting'
    order by m.created_at
    limit p_limit
    for update skip locked
  ),
  gone as (
    delete from delivery.webhook_messages m using due
    where m.workspace_id = p_workspace_id and m.webhook_id = due.webhook_id and m.event_id = due.event_id
    returning 1
  )
  select (select count(*) from gone)::int, case when count(*) = p_limit then max(created_at) end from due
$$;
