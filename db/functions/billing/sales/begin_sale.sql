-- Stores what was offered to a person, at the current price. The same unpaid offer is not stored twice, so that a second tap is
-- not a second purchase. Returns the sale; null for the sixth within ten minutes.
create or replace function billing.begin_sale(
  p_workspace_id uuid, p_user_id bigint, p_product text, p_provider text, p_seller text, p_package text, p_tokens int, p_bonus int,
  p_price_rub numeric, p_amount numeric, p_currency text, p_period_days int, p_recurring boolean, p_task text, p_given jsonb,
  p_now timestamptz default now()
) returns bigint
language plpgsql as $$
declare
  v_sale bigint;
begin
  -- Serialises two taps at once.
  perform pg_advisory_xact_lock(hashtextextended(format('billing.sale/%s/%s', p_workspace_id, p_user_id), 0));
  select s.id into v_sale from billing.sales s
  where s.workspace_id = p_workspace_id and s.user_id = p_user_id and s.created_at > p_now - interval '10 minutes'
    and (s.product, s.provider, s.seller, s.package_name, s.tokens, s.bonus, s.amount, s.currency, s.recurring, s.given)
      = (p_product, p_provider, p_seller, p_package, p_tokens, p_bonus, p_amount, p_currency, p_recurring, p_given)
    and s.price_rub is not distinct from p_price_rub and s.period_days is not distinct from p_period_days
    and not exists (
      select from billing.payments p where p.workspace_id = p_workspace_id and p.sale_id = s.id and p.status <> 'pending')
  order by s.id desc limit 1;
  if found then
    return v_sale;
  end if;
  if (select count(*) from billing.sales s
      where s.workspace_id = p_workspace_id and s.user_id = p_user_id and s.created_at > p_now - interval '10 minutes') >= 5 then
    return null;
  end if;
  insert into billing.sales (workspace_id, user_id, product, provider, seller, package_name, tokens, bonus, price_rub, amount, currency,
    period_days, recurring, task, given, created_at)
  values (p_workspace_id, p_user_id, p_product, p_provider, p_seller, p_package, p_tokens, p_bonus, p_price_rub, p_amount, p_currency,
    p_period_days, p_recurring, p_task, p_given, p_now)
  returning id into v_sale;
  return v_sale;
end
$$;
