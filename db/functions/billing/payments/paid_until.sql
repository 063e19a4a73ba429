-- The end of what a person has paid for among a product's timed offers; null if nothing. Refunded payments do not count.
create or replace function billing.paid_until(p_workspace_id uuid, p_user_id bigint, p_product text) returns timestamptz
language sql stable as $$
  select max(p.subscription_expires_at) from billing.payments p
  where p.workspace_id = p_workspace_id and p.user_id = p_user_id and p.product = p_product and p.status = 'completed'
$$;
