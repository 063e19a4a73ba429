-- Takes payments that were requested at least two minutes ago and have not ended; each is checked every five minutes by one
-- process. Uses yookassa_requests_by_look.
create or replace function billing.take_card_payments(
  p_limit int default 100, p_now timestamptz default now()
) returns table (workspace_id uuid, payment_id bigint)
language sql as $$
  with due as (
    select r.workspace_id, r.purpose
    from billing.yookassa_requests r
    join billing.payments p on p.workspace_id = r.workspace_id and p.id = r.payment_id and p.status = 'pending'
    where r.purpose like 'payment/%' and coalesce(r.looked_at, r.created_at) <= p_now - interval '2 minutes'
      and (r.looked_at is null or r.looked_at <= p_now - interval '5 minutes')
    order by coalesce(r.looked_at, r.created_at)
    limit p_limit
    for update of r skip locked
  )
  update billing.yookassa_requests r set looked_at = p_now
  from due d
  where r.workspace_id = d.workspace_id and r.purpose = d.purpose
  returning r.workspace_id, r.payment_id
$$;
