-- Enqueues the product's job with an outcome of its sale, within the transaction of that outcome.
create or replace function billing.tell_seller(
  p_sale billing.sales, p_kind text, p_user_id bigint, p_facts jsonb, p_now timestamptz default now()
) returns void
language plpgsql as $$
begin
  if p_sale.task is null then
    return;
  end if;
  perform molva.add_job(p_sale.task, jsonb_build_object('given', p_sale.given, 'outcome', jsonb_build_object(
    'kind', p_kind, 'workspace_id', p_sale.workspace_id, 'sale_id', p_sale.id, 'user_id', p_user_id, 'product', p_sale.product,
    'package', p_sale.package_name, 'provider', p_sale.provider, 'seller', p_sale.seller, 'recurring', p_sale.recurring,
    'at', p_now) || p_facts), 10);
end
$$;
