-- Cancels, resumes, pauses or ends a subscription; the product is told once. Returns false if nothing changed.
create or replace function billing.change_subscription(
  p_workspace_id uuid, p_subscription_id bigint, p_status text, p_now timestamptz default now()
) returns boolean
language plpgsql as $$
declare
  v_sale         billing.sales;
  v_subscription billing.subscriptions;
begin
  if not billing.set_subscription(p_workspace_id, p_subscription_id, p_status, p_now) then
    return false;
  end if;
  select s.* into strict v_subscription from billing.subscriptions s
  where s.workspace_id = p_workspace_id and s.id = p_subscription_id;
  select s.* into strict v_sale from billing.sales s where s.workspace_id = p_workspace_id and s.id = v_subscription.sale_id;
  perform billing.tell_seller(v_sale,
    case p_status when 'active' then 'resumed' when 'expired' then 'ended' else p_status end,
    v_subscription.user_id, jsonb_build_object('subscription_id', p_subscription_id, 'until', v_subscription.period_end,
      'tokens', v_sale.tokens, 'amount', v_sale.amount, 'currency', v_sale.currency,
      'balance', billing.balance_of(p_workspace_id, v_subscription.user_id)), p_now);
  return true;
end
$$;
