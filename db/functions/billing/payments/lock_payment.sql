-- Locks a payment until the end of the transaction.
create or replace function billing.lock_payment(p_workspace_id uuid, p_payment_id bigint) returns billing.payments
language plpgsql as $$
declare
  v_payment billing.payments;
begin
  select p.* into v_payment from billing.payments p
  where p.workspace_id = p_workspace_id and p.id = p_payment_id
  for no key update;
  if not found then
    raise exception 'payment_unknown' using detail = format('There is no payment %s here.', p_payment_id);
  end if;
  return v_payment;
end
$$;
