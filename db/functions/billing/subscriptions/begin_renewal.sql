-- Creates the payment for the next period of a subscription that we charge ourselves. A period is charged once: a second call
-- returns null, and so does every call if the subscription or its workspace is not active, or its period ends later than in an hour (a
-- process that found it due may come after another has charged and prolonged it, or after a pause).
create or replace function billing.begin_renewal(
  p_workspace_id uuid, p_subscription_id bigint, p_now timestamptz default now()
) returns billing.payments
language plpgsql as $$
declare
  v_subscription billing.subscriptions;
  v_sale         billing.sales;
  v_payment      billing.payments;
begin
  select s.* into v_subscription from billing.subscriptions s
  where s.workspace_id = p_workspace_id and s.id = p_subscription_id
  for no key update;
  if not found or v_subscription.status <> 'active' or v_subscription.period_end > p_now + interval '1 hour' or not exists (
    select from workspaces.workspaces w where w.workspace_id = p_workspace_id and w.status = 'active') or exists (
    select from billing.payments p
    where p.workspace_id = p_workspace_id and p.subscription = p_subscription_id and p.renews = v_subscription.period_end) then
    return null;
  end if;
  select s.* into strict v_sale from billing.sales s where s.workspace_id = p_workspace_id and s.id = v_subscription.sale_id;
  v_payment := billing.expect_payment(p_workspace_id, v_sale, v_sale.provider, v_sale.user_id, v_sale.amount, v_sale.currency, p_now);
  update billing.payments p set subscription = p_subscription_id, renews = v_subscription.period_end,
    subscription_id = v_subscription.charge_id, method_id = v_subscription.method_id, payer = (
      select f.payer from billing.payments f
      where f.workspace_id = p_workspace_id and f.subscription = p_subscription_id and f.payer is not null order by f.id limit 1)
  where p.workspace_id = p_workspace_id and p.id = v_payment.id
  returning * into v_payment;
  return v_payment;
end
$$;
