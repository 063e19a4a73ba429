-- Whether a product is to be told how the delivery ends; an addressed post that came through an endpoint has no such product.
create or replace function delivery.is_promised(p_delivery delivery.deliveries) returns boolean
language sql stable as $$
  select p_delivery.addressed and exists (
    select from delivery.addressed_deliveries a
    where a.workspace_id = p_delivery.workspace_id and a.delivery_id = p_delivery.delivery_id)
$$;
