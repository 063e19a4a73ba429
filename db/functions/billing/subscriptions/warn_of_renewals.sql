-- Tells products about subscriptions that will be charged within a day, once per period; for providers that do not tell people
-- themselves. While a workspace is not active, nobody is charged there, and nobody told.
create or replace function billing.warn_of_renewals(p_provider text, p_limit int default 500, p_now timestamptz default now()) returns int
language plpgsql as $$
declare
  v_due   billing.subscriptions;
  v_sale  billing.sales;
  v_count int := 0;
begin
  for v_due in
    select s.* from billing.subscriptions s
    join workspaces.workspaces w on w.workspace_id = s.workspace_id and w.status = 'active'
    where s.status = 'active' and s.provider = p_provider and s.period_end > p_now and s.period_end <= p_now + interval '1 day'
      and s.warned_of is distinct from s.period_end
    order by s.period_end
    limit p_limit
    for update of s skip locked
  loop
    update billing.subscriptions s set warned_of = s.period_end where s.workspace_id = v_due.workspace_id and s.id = v_due.id;
    select s.* into strict v_sale from billing.sales s where s.workspace_id = v_due.workspace_id and s.id = v_due.sale_id;
    perform billing.tell_seller(v_sale, 'renewal_soon', v_due.user_id, jsonb_build_object('subscription_id', v_due.id,
      'until', v_due.period_end, 'tokens', v_sale.tokens, 'amount', v_sale.amount, 'currency', v_sale.currency), p_now);
    v_count := v_count + 1;
  end loop;
  return v_count;
end
$$;
