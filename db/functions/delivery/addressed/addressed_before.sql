-- The deliveries that a product's (run, step) created, in their current state; null if there are none. They are found as long
-- as deliveries are kept.
create or replace function delivery.addressed_before(p_workspace_id uuid, p_product text, p_run text, p_step text) returns jsonb
language sql stable as $$
  select jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
    'delivery_id', d.delivery_id, 'channel_id', d.channel_id, 'message_id', d.message_id, 'status', d.status,
    'error', delivery.error_of(d.last_error))) order by d.delivery_id)
  from delivery.addressed_deliveries a
  join delivery.deliveries d using (workspace_id, delivery_id)
  where a.workspace_id = p_workspace_id and a.product = p_product and a.run = p_run and a.step = p_step
$$;
