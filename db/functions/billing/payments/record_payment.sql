-- Records a payment reported by a provider under its own charge id: credited once, however often and in whatever order it is
-- reported.
-- `p_payment_id` is the expected payment, for providers that are asked for one first. Money that does not match its sale is
-- recorded, credits nothing and raises an alert.
create or replace function billing.record_payment(
  p_workspace_id uuid, p_provider text, p_charge_id text, p_sale_id bigint, p_user_id bigint, p_amount numeric, p_currency text,
  p_payment_id bigint default null, p_payer text default null, p_method_id text default null, p_provider_charge_id text default null,
  p_expires_at timestamptz default null, p_is_first boolean default null, p_now timestamptz default now()
) returns billing.recorded_payment
language plpgsql as $$
declare
  v_sale         billing.sales;
  v_payment      billing.payments;
  v_subscription billing.subscriptions;
  v_fault        text;
  v_balance      int;
begin
  if coalesce(p_amount, 0) <= 0 then
    raise exception 'amount_not_positive' using detail = format('%s is no payment', coalesce(p_amount::text, 'Nothing'));
  end if;
  -- Serialises reports of one charge, and charges of one sale.
  perform pg_advisory_xact_lock(hashtextextended(format('billing.charge/%s/%s/%s', p_workspace_id, p_provider, p_charge_id), 0));
  perform pg_advisory_xact_lock(hashtextextended(format('billing.paid/%s/%s', p_workspace_id, p_sale_id), 0));
  select p.* into v_payment from billing.payments p
  where p.workspace_id = p_workspace_id and p.provider = p_provider and p.charge_id = p_charge_id;
  if found and (v_payment.status in ('completed', 'refunded') or v_payment.fault is not null) then
    return row(v_payment.id, 'repeated', billing.balance_of(p_workspace_id, v_payment.user_id))::billing.recorded_payment;
  end if;
  if not found and p_payment_id is not null then
    select p.* into v_payment from billing.payments p
    where p.workspace_id = p_workspace_id and p.id = p_payment_id and p.provider = p_provider and p.charge_id is null
      and p.status in ('pending', 'failed');
  end if;

  select s.* into v_sale from billing.sales s
  where s.workspace_id = p_workspace_id and s.id = coalesce(v_payment.sale_id, p_sale_id) and s.provider = p_provider;
  v_fault := case
    when v_sale.id is null then 'sale_unknown'
    when p_user_id <> v_sale.user_id then 'user_differs'
    when (p_amount, p_currency) is distinct from (v_sale.amount, v_sale.currency) then 'amount_differs'
  end;
  if v_payment.id is null then
    v_payment := billing.expect_payment(p_workspace_id, v_sale, p_provider, coalesce(p_user_id, v_sale.user_id), p_amount, p_currency,
      p_now);
  end if;
  update billing.payments p set
    charge_id = p_charge_id, payer = coalesce(p_payer, p.payer), method_id = coalesce(p_method_id, p.method_id),
    provider_payment_charge_id = p_provider_charge_id, amount = p_amount, currency = p_currency, fault = v_fault,
    amount_rub = case p_currency when 'RUB' then p_amount else p.amount_rub end,
    status = case when v_fault is null then p.status else 'failed' end,
    -- Money that does not match its sale has no tokens to take back.
    tokens_amount = case when v_fault is null then p.tokens_amount else 0 end,
    tokens_bonus = case when v_fault is null then p.tokens_bonus else 0 end
  where p.workspace_id = p_workspace_id and p.id = v_payment.id
  returning * into v_payment;
  if v_fault is not null then
    perform billing.note_payment(v_payment, 'payment_refused', p_now);
    if v_sale.id is not null then
      perform billing.tell_seller(v_sale, 'refused', v_sale.user_id, billing.payment_facts(v_payment), p_now);
    end if;
    return row(v_payment.id, v_fault, billing.balance_of(p_workspace_id, v_payment.user_id))::billing.recorded_payment;
  end if;

  if v_sale.recurring then
    v_subscription := billing.prolong(v_sale, v_payment, p_expires_at, p_is_first, p_now);
  end if;
  update billing.payments p set
    is_subscription = v_sale.recurring, subscription = v_subscription.id, subscription_id = v_subscription.charge_id,
    subscription_status = case when v_subscription.id is not null then 'active' end,
    subscription_expires_at = case
      when v_sale.recurring then coalesce(p_expires_at, v_subscription.period_end)
      -- A repeated purchase before the end begins after it.
      when v_sale.period_days is not null then
        greatest(billing.paid_until(p_workspace_id, v_sale.user_id, v_sale.product), p_now) + make_interval(days => v_sale.period_days)
    end
  where p.workspace_id = p_workspace_id and p.id = v_payment.id;
  v_balance := billing.complete_payment(p_workspace_id, v_payment.id, p_now);
  v_payment := billing.lock_payment(p_workspace_id, v_payment.id);
  perform billing.note_payment(v_payment, 'payment_completed', p_now);
  perform billing.tell_seller(v_sale, case when v_subscription.renewals > 0 then 'renewed' else 'paid' end, v_sale.user_id,
    billing.payment_facts(v_payment), p_now);
  if v_payment.referral_tokens > 0 then
    perform billing.tell_seller(v_sale, 'referral_bonus', v_payment.referrer_id, jsonb_build_object(
      'payment_id', v_payment.id, 'tokens', v_payment.referral_tokens,
      'balance', billing.balance_of(p_workspace_id, v_payment.referrer_id)), p_now);
  end if;
  return row(v_payment.id, case when v_subscription.renewals > 0 then 'renewed' else 'credited' end, v_balance)::billing.recorded_payment;
end
$$;

-- A charge of a renewing sale: its subscription begins, or is prolonged. Charges may come in any order; the provider identifies
-- the subscription by the first one.
create or replace function billing.prolong(
  p_sale billing.sales, p_payment billing.payments, p_expires_at timestamptz, p_is_first boolean, p_now timestamptz
) returns billing.subscriptions
language plpgsql as $$
declare
  v_subscription billing.subscriptions;
begin
  insert into billing.subscriptions (workspace_id, user_id, sale_id, product, provider, charge_id, method_id, period_end, created_at,
    changed_at)
  values (p_sale.workspace_id, p_sale.user_id, p_sale.id, p_sale.product, p_sale.provider, p_payment.charge_id, p_payment.method_id,
    coalesce(p_expires_at, p_now + make_interval(days => p_sale.period_days)), p_now, p_now)
  on conflict (workspace_id, sale_id) do nothing
  returning * into v_subscription;
  if found then
    return v_subscription;
  end if;
  update billing.subscriptions s set
    status = 'active', renewals = s.renewals + 1, changed_at = p_now,
    charge_id = case when p_is_first then p_payment.charge_id else s.charge_id end,
    method_id = coalesce(p_payment.method_id, s.method_id),
    -- No coalesce needed: greatest ignores null.
    period_end = case when p_expires_at is null then greatest(s.period_end, p_now) + make_interval(days => p_sale.period_days)
      else greatest(s.period_end, p_expires_at) end
  where s.workspace_id = p_sale.workspace_id and s.sale_id = p_sale.id
  returning * into v_subscription;
  update billing.payments p set subscription_status = 'active', subscription_id = v_subscription.charge_id
  where p.workspace_id = p_sale.workspace_id and p.subscription = v_subscription.id and p.subscription_status is not null;
  return v_subscription;
end
$$;
