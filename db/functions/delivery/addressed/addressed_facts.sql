-- Facts about an addressed delivery for operators: its owner, until when a person waits, what its product was told. Null for
-- a routed one.
create or replace function delivery.addressed_facts(p_delivery delivery.deliveries) returns jsonb
language sql stable as $$
  select case when p_delivery.addressed then coalesce((
    select jsonb_strip_nulls(jsonb_build_object(
      'product', a.product, 'user', a.user_id, 'run', a.run, 'step', a.step, 'wait_until', a.wait_until,
      'task', a.task, 'told', a.told, 'told_at', a.told_at, 'times_told', a.times_told))
    from delivery.addressed_deliveries a
    where a.workspace_id = p_delivery.workspace_id and a.delivery_id = p_delivery.delivery_id), '{}') end
$$;
