-- Deletes receipts that no repeat can match any more. Uses ingress_receipts_expiry.
create or replace function delivery.retention_receipts(
  p_after timestamptz, p_limit int, p_now timestamptz default now(), out removed int, out next timestamptz)
language sql as $$
  with due as materialized (
    select r.workspace_id, r.receipt_id, r.expires_at
    from delivery.ingress_receipts r
    where r.expires_at >= coalesce(p_after, '-infinity') and r.expires_at < p_now
    order by r.expires_at
    limit p_limit
    for update skip locked
  ),
  gone as (
    delete from delivery.ingress_receipts r using due
    where r.workspace_id = due.workspace_id and r.receipt_id = due.receipt_id
    returning 1
  )
  select (select count(*) from gone)::int, case when count(*) = p_limit then max(expires_at) end from due
$$;
