-- Records an event of a payment in the audit trail.
create or replace function billing.note_payment(p_payment billing.payments, p_action text, p_now timestamptz default now()) returns void
language sql as $$
  insert into workspaces.events (workspace_id, id, ts, action, result, error, meta)
  values (p_payment.workspace_id, molva.uuidv7(p_now), p_now, p_action,
    case when p_action in ('payment_refused', 'payment_failed') then 'error' else 'ok' end,
    case p_action
      when 'payment_refused' then jsonb_build_object('code', p_payment.fault, 'message', format(
        '%s %s by %s (%s) was not credited: %s', p_payment.amount, p_payment.currency, p_payment.provider,
        coalesce(p_payment.charge_id, '?'), case p_payment.fault
          when 'sale_unknown' then 'nobody knows what it was for'
          when 'user_differs' then 'somebody else paid than was to'
          else 'it is not what was to be paid' end))
      when 'payment_failed' then jsonb_build_object('code', coalesce(p_payment.reason, 'failed'), 'message', format(
        'payment %s by %s did not come', p_payment.id, p_payment.provider))
    end,
    jsonb_strip_nulls(jsonb_build_object(
      'payment_id', p_payment.id, 'user_id', p_payment.user_id, 'provider', p_payment.provider, 'charge_id', p_payment.charge_id,
      'package', p_payment.package_name, 'product', p_payment.product, 'tokens', p_payment.tokens_amount, 'amount', p_payment.amount,
      'currency', p_payment.currency, 'refunded', nullif(p_payment.refunded, 0), 'refunded_tokens', nullif(p_payment.refunded_tokens, 0),
      'referrer_id', p_payment.referrer_id, 'referral_tokens', nullif(p_payment.referral_tokens, 0),
      'subscription', p_payment.subscription, 'until', p_payment.subscription_expires_at)))
$$;

-- What a product is told about a payment.
create or replace function billing.payment_facts(p_payment billing.payments) returns jsonb
language sql stable as $$
  select jsonb_build_object(
    'payment_id', p_payment.id, 'tokens', p_payment.tokens_amount, 'amount', p_payment.amount, 'currency', p_payment.currency,
    'subscription_id', p_payment.subscription, 'until', p_payment.subscription_expires_at, 'fault', p_payment.fault,
    'reason', p_payment.reason, 'refunded', p_payment.refunded, 'refunded_tokens', p_payment.refunded_tokens,
    'balance', billing.balance_of(p_payment.workspace_id, p_payment.user_id))
$$;
