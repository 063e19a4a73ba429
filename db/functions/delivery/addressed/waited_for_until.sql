-- Until when a person waits for a delivery; null if nobody does, or if it has ended and an operator sends it again.
create or replace function delivery.waited_for_until(p_workspace_id uuid, p_delivery_id uuid) returns timestamptz
language sql stable as $$
  select a.wait_until from delivery.addressed_deliveries a
  where a.workspace_id = p_workspace_id and a.delivery_id = p_delivery_id and a.told is null
$$;
