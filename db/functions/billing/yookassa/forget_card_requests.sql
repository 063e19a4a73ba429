-- Requests contain contacts, so they are deleted when they can no longer be repeated: YooKassa remembers a key for a day.
create or replace function billing.forget_card_requests(p_now timestamptz default now()) returns int
language sql as $$
  with gone as (
    delete from billing.yookassa_requests r
    where r.created_at < p_now - interval '2 days' and not exists (
      select from billing.payments p where p.workspace_id = r.workspace_id and p.id = r.payment_id and p.status = 'pending')
    returning 1
  )
  select count(*)::int from gone
$$;
