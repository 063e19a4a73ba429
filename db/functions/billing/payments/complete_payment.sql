-- Completes a payment: credits its tokens once, and the referrer's bonus with them. A failed payment can be completed too, if the
-- money arrives later. Returns the payer's balance.
create or replace function billing.complete_payment(
  p_workspace_id uuid, p_payment_id bigint, p_now timestamptz default now()
) returns int
language plpgsql as $$
declare
  v_payment  billing.payments := billing.lock_payment(p_workspace_id, p_payment_id);
  v_referrer bigint;
  v_bonus    int := 0;
  v_balance  int;
begin
  if v_payment.status in ('completed', 'refunded') then
    return billing.balance_of(p_workspace_id, v_payment.user_id);
  end if;
  if v_payment.fault is not null then
    raise exception 'payment_faulty' using detail = format('Payment %s is unlike its sale: %s.', p_payment_id, v_payment.fault);
  end if;
  -- A plan has no tokens, so its buyer needs no account.
  if v_payment.tokens_amount = 0 then
    update billing.payments p set status = 'completed', completed_at = p_now
    where p.workspace_id = p_workspace_id and p.id = p_payment_id;
    return billing.balance_of(p_workspace_id, v_payment.user_id);
  end if;
  v_balance := billing.open_account(p_workspace_id, v_payment.user_id, p_now);
  v_referrer := billing.referrer_for(p_workspace_id, v_payment.user_id, v_payment.provider, v_payment.payer);
  if v_referrer is not null then
    v_bonus := floor(v_payment.amount_rub * (billing.settings_of(p_workspace_id)).referral_percent / 100);
  end if;
  -- Always locked in the same order, so that there is no deadlock.
  perform from billing.users u
  where u.workspace_id = p_workspace_id and u.id in (v_payment.user_id, v_referrer)
  order by u.id
  for no key update;

  v_balance := billing.give(p_workspace_id, v_payment.user_id, 'purchase', format('payment/%s', p_payment_id), 'purchase',
    p_revenue => v_payment.tokens_amount - v_payment.tokens_bonus, p_bonuses => v_payment.tokens_bonus,
    p_provider => v_payment.provider, p_note => v_payment.package_name, p_now => p_now);
  if v_bonus > 0 then
    perform billing.give(p_workspace_id, v_referrer, 'referral', format('referral/%s', p_payment_id), 'referral_bonus',
      p_referral => v_bonus, p_now => p_now);
  end if;
  update billing.payments p set
    status = 'completed', completed_at = p_now, referral_bonus_credited = coalesce(v_bonus, 0) > 0,
    referrer_id = case when v_bonus > 0 then v_referrer end, referral_tokens = coalesce(v_bonus, 0)
  where p.workspace_id = p_workspace_id and p.id = p_payment_id;
  return v_balance;
end
$$;
