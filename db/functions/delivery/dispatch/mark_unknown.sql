-- It is unknown whether it arrived: no answer came, or none that can be read. It is looked up before it is sent again.
create or replace function delivery.mark_unknown(
  p_workspace_id uuid, p_delivery_id uuid, p_claim_token text, p_error jsonb, p_now timestamptz default now()
) returns void
language sql as $$
  select delivery.settle_one(p_workspace_id, p_delivery_id, delivery.beside_outcome(p_error) || jsonb_build_object(
    'delivery_id', p_delivery_id, 'token', p_claim_token, 'kind', 'unknown',
    'error', delivery.stored_error(p_error)), p_now)
$$;

create or replace function delivery.mark_unknown(
  p_workspace_id uuid, p_delivery_id uuid, p_error jsonb, p_now timestamptz default now()
) returns void
language sql as $$
  select delivery.mark_unknown(p_workspace_id, p_delivery_id, delivery.claim_token_of(p_workspace_id, p_delivery_id),
                               p_error, p_now)
$$;
