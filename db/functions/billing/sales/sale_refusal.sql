-- Why a sale may not be paid now, checked just before the money moves; null if it may.
create or replace function billing.sale_refusal(
  p_workspace_id uuid, p_sale_id bigint, p_user_id bigint, p_amount numeric, p_currency text, p_now timestamptz default now()
) returns text
language plpgsql stable as $$
declare
  v_sale billing.sales;
begin
  select s.* into v_sale from billing.sales s where s.workspace_id = p_workspace_id and s.id = p_sale_id;
  return case
    when not found then 'sale_unknown'
    when v_sale.user_id <> p_user_id then 'user_differs'
    when (v_sale.amount, v_sale.currency) is distinct from (p_amount, p_currency) then 'amount_differs'
    when exists (
      select from billing.payments p
      where p.workspace_id = p_workspace_id and p.sale_id = p_sale_id and p.status in ('completed', 'refunded')) then 'already_paid'
    when v_sale.recurring and exists (
      select from billing.subscriptions s
      where s.workspace_id = p_workspace_id and s.user_id = p_user_id and s.product = v_sale.product and s.status = 'active'
    ) then 'already_subscribed'
    when (
      select count(*) from billing.payments p
      where p.workspace_id = p_workspace_id and p.user_id = p_user_id and p.renews is null
        and p.completed_at > p_now - interval '10 minutes') >= 5 then 'too_many_purchases'
  end;
end
$$;
