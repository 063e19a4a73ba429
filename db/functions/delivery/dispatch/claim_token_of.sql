create or replace function delivery.claim_token_of(p_workspace_id uuid, p_delivery_id uuid) returns text
language sql stable as $$
  select d.claim_token from delivery.deliveries d
  where d.workspace_id = p_workspace_id and d.delivery_id = p_delivery_id and d.status = 'sending'
$$;
