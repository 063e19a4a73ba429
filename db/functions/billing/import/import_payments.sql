-- Payments with a sale each. Returns the tokens that they moved.
create or replace function billing.import_payments(p_workspace_id uuid, p_user_id bigint, p_product text, p_payments jsonb)
returns bigint
language plpgsql as $$
declare
  v_old   billing.payments;
  v_sale  bigint;
  v_key   text;
  v_moved bigint := 0;
begin
  for v_old in select * from jsonb_populate_recordset(null::billing.payments, p_payments) loop
    insert into billing.sales (workspace_id, user_id, product, provider, seller, package_name, tokens, bonus, price_rub, amount, currency,
      created_at)
    values (p_workspace_id, p_user_id, p_product, v_old.provider, 'import', v_old.package_name, v_old.tokens_amount, 0, v_old.amount_rub,
      v_old.amount, v_old.currency, v_old.created_at)
    returning id into v_sale;
    insert into billing.payments (workspace_id, id, user_id, sale_id, provider, status, provider_payment_charge_id, package_name,
      tokens_amount, amount_rub, is_subscription, subscription_id, subscription_status, subscription_expires_at,
      referral_bonus_credited, refunded, refunded_tokens, created_at, completed_at, product, charge_id, method_id, amount, currency)
    overriding system value
    values (p_workspace_id, v_old.id, p_user_id, v_sale, v_old.provider, v_old.status, v_old.provider_payment_charge_id,
      v_old.package_name, v_old.tokens_amount, v_old.amount_rub, v_old.is_subscription, v_old.subscription_id,
      v_old.subscription_status, v_old.subscription_expires_at, v_old.referral_bonus_credited,
      case v_old.status when 'refunded' then v_old.amount else 0 end, case v_old.status when 'refunded' then v_old.tokens_amount else 0 end,
      v_old.created_at, case when v_old.status in ('completed', 'refunded') then v_old.created_at end, p_product, v_old.charge_id,
      v_old.method_id, v_old.amount, v_old.currency);
    continue when v_old.status not in ('completed', 'refunded') or v_old.tokens_amount = 0;
    v_key := format('payment/%s', v_old.id);
    insert into billing.transfers (workspace_id, key, kind, user_id, operation, provider, tokens, revenue, note, created_at)
    values (p_workspace_id, v_key, 'purchase', p_user_id, 'purchase', v_old.provider, v_old.tokens_amount, -v_old.tokens_amount,
      v_old.package_name, v_old.created_at);
    insert into billing.token_expenses (workspace_id, user_id, amount, operation_type, description, transfer_key, created_at)
    values (p_workspace_id, p_user_id, v_old.tokens_amount, 'purchase', v_old.package_name, v_key, v_old.created_at);
    v_moved := v_moved + v_old.tokens_amount;
    continue when v_old.status <> 'refunded';
    v_key := format('payment_refund/%s/%s', v_old.id, v_old.tokens_amount);
    insert into billing.refunds (workspace_id, payment_id, refunded, amount, created_at)
    values (p_workspace_id, v_old.id, v_old.amount, v_old.amount, v_old.created_at);
    insert into billing.transfers (workspace_id, key, kind, user_id, operation, tokens, refunds, note, created_at)
    values (p_workspace_id, v_key, 'payment_refund', p_user_id, 'payment_refund', -v_old.tokens_amount, v_old.tokens_amount,
      v_old.package_name, v_old.created_at);
    insert into billing.token_expenses (workspace_id, user_id, amount, operation_type, description, transfer_key, created_at)
    values (p_workspace_id, p_user_id, -v_old.tokens_amount, 'payment_refund', v_old.package_name, v_key, v_old.created_at);
    v_moved := v_moved - v_old.tokens_amount;
  end loop;
  return v_moved;
end
$$;
