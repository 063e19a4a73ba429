-- Records a refund: `p_refunded` is the total so far, in the currency of the payment. The same share of the tokens is taken,
-- rounded down, and of the referrer's bonus, even below zero. An older total that comes late changes nothing. Money that was
-- never credited takes no tokens. A subscription whose last period is refunded as a whole ends, whoever refunded it. Returns the
-- payer's balance.
create or replace function billing.refund_payment(
  p_workspace_id uuid, p_payment_id bigint, p_refunded numeric, p_now timestamptz default now()
) returns int
language plpgsql as $$
declare
  v_payment billing.payments := billing.lock_payment(p_workspace_id, p_payment_id);
  v_paid    numeric := v_payment.amount;
  v_before  numeric := v_payment.refunded;
  v_sale    billing.sales;
  v_gone    int;
  v_bonus   int;
begin
  if coalesce(p_refunded, 0) <= 0 then
    raise exception 'amount_not_positive' using detail = format('%s cannot be refunded', coalesce(p_refunded::text, 'Nothing'));
  end if;
  if v_payment.status not in ('completed', 'refunded') and v_payment.fault is null then
    raise exception 'payment_not_completed' using detail = format('Payment %s is %s.', p_payment_id, v_payment.status);
  end if;
  if p_refunded > v_paid then
    raise exception 'refund_exceeds_payment' using detail = format('Of %s paid, %s cannot go back.', v_paid, p_refunded);
  end if;
  if p_refunded > v_payment.refunded then
    v_gone := floor(v_payment.tokens_amount * p_refunded / v_paid);
    v_bonus := floor(v_payment.referral_tokens * p_refunded / v_paid) - floor(v_payment.referral_tokens * v_payment.refunded / v_paid);
    perform from billing.users u
    where u.workspace_id = p_workspace_id and u.id in (v_payment.user_id, v_payment.referrer_id)
    order by u.id
    for no key update;
    if v_gone > v_payment.refunded_tokens then
      perform billing.take_back(p_workspace_id, v_payment.user_id, v_gone - v_payment.refunded_tokens, 'payment_refund',
        format('payment_refund/%s/%s', p_payment_id, v_gone), 'refunds', v_payment.package_name, p_now);
    end if;
    if v_bonus > 0 then
      perform billing.take_back(p_workspace_id, v_payment.referrer_id, v_bonus, 'referral_refund',
        format('referral_refund/%s/%s', p_payment_id, p_refunded), 'referral', null, p_now);
    end if;
    update billing.payments p set
      refunded = p_refunded, refunded_tokens = v_gone,
      status = case when p_refunded = v_paid and p.fault is null then 'refunded' else p.status end
    where p.workspace_id = p_workspace_id and p.id = p_payment_id
    returning * into v_payment;
    insert into billing.refunds (workspace_id, payment_id, refunded, amount, created_at)
    values (p_workspace_id, p_payment_id, p_refunded, p_refunded - v_before, p_now);
    perform billing.note_payment(v_payment, 'payment_refunded', p_now);
    select s.* into v_sale from billing.sales s where s.workspace_id = p_workspace_id and s.id = v_payment.sale_id;
    if found then
      perform billing.tell_seller(v_sale, 'refunded', v_payment.user_id, billing.payment_facts(v_payment) || jsonb_build_object(
        'until', billing.paid_until(p_workspace_id, v_payment.user_id, v_payment.product)), p_now);
    end if;
    if v_payment.status = 'refunded' and billing.is_last_period(p_workspace_id, v_payment.subscription, v_payment.subscription_expires_at)
    then
      perform billing.change_subscription(p_workspace_id, v_payment.subscription, 'expired', p_now);
    end if;
  end if;
  return billing.balance_of(p_workspace_id, v_payment.user_id);
end
$$;
