-- Marks a payment as failed: declined, abandoned or expired. If the money arrives later, record_payment still completes it. A
-- subscription whose renewal failed is paused; its paid period lasts to its end.
create or replace function billing.fail_payment(
  p_workspace_id uuid, p_payment_id bigint, p_reason text, p_now timestamptz default now()
) returns boolean
language plpgsql as $$
declare
  v_payment billing.payments := billing.lock_payment(p_workspace_id, p_payment_id);
  v_sale    billing.sales;
begin
  if v_payment.status <> 'pending' then
    return false;
  end if;
  update billing.payments p set status = 'failed', reason = p_reason
  where p.workspace_id = p_workspace_id and p.id = p_payment_id
  returning * into v_payment;
  select s.* into v_sale from billing.sales s where s.workspace_id = p_workspace_id and s.id = v_payment.sale_id;
  perform billing.note_payment(v_payment, 'payment_failed', p_now);
  if v_payment.renews is null then
    perform billing.tell_seller(v_sale, 'failed', v_payment.user_id, billing.payment_facts(v_payment), p_now);
  else
    perform billing.set_subscription(p_workspace_id, v_payment.subscription, 'paused', p_now);
    perform billing.tell_seller(v_sale, 'renewal_failed', v_payment.user_id,
      billing.payment_facts(v_payment) || jsonb_build_object('until', v_payment.renews), p_now);
  end if;
  return true;
end
$$;
