create or replace function delivery.attempts_of(p_delivery delivery.deliveries) returns jsonb
language sql stable as $$
  select jsonb_build_object('attempt', p_delivery.attempt, 'max_attempts', p.max_attempts + p_delivery.requeues)
  from delivery.workspace_policy(p_delivery.workspace_id) p
$$;
