-- Creates a payment that is not paid yet, with the terms of its sale. `p_sale` is empty if the sale is unknown.
create or replace function billing.expect_payment(
  p_workspace_id uuid, p_sale billing.sales, p_provider text, p_user_id bigint, p_amount numeric, p_currency text,
  p_now timestamptz default now()
) returns billing.payments
language sql as $$
  insert into billing.payments (workspace_id, user_id, sale_id, provider, product, package_name, tokens_amount, tokens_bonus, amount,
    currency, amount_rub, fault, status, is_subscription, created_at)
  values (p_workspace_id, p_user_id, p_sale.id, p_provider, p_sale.product, p_sale.package_name, coalesce(p_sale.tokens, 0),
    coalesce(p_sale.bonus, 0), p_amount, p_currency, p_sale.price_rub, case when p_sale.id is null then 'sale_unknown' end,
    case when p_sale.id is null then 'failed' else 'pending' end, coalesce(p_sale.recurring, false), p_now)
  returning *
$$;

-- Creates the payment that a provider is about to be asked for. A sale has one expected payment at a time: a repeat returns it.
create or replace function billing.expect_payment(
  p_workspace_id uuid, p_sale_id bigint, p_now timestamptz default now()
) returns billing.payments
language plpgsql as $$
declare
  v_sale    billing.sales;
  v_payment billing.payments;
begin
  perform pg_advisory_xact_lock(hashtextextended(format('billing.paid/%s/%s', p_workspace_id, p_sale_id), 0));
  select s.* into v_sale from billing.sales s where s.workspace_id = p_workspace_id and s.id = p_sale_id;
  if not found then
    raise exception 'sale_unknown' using detail = format('There is no sale %s here.', p_sale_id);
  end if;
  select p.* into v_payment from billing.payments p
  where p.workspace_id = p_workspace_id and p.sale_id = p_sale_id and p.status = 'pending' and p.renews is null
  order by p.id desc limit 1;
  if not found then
    v_payment := billing.expect_payment(p_workspace_id, v_sale, v_sale.provider, v_sale.user_id, v_sale.amount, v_sale.currency, p_now);
  end if;
  return v_payment;
end
$$;
