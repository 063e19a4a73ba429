-- `p_next_retry_at` is used if given; otherwise the error's retry_after_ms, or the backoff.
create or replace function delivery.schedule_retry(
  p_workspace_id uuid, p_delivery_id uuid, p_claim_token text, p_next_retry_at timestamptz, p_error jsonb,
  p_now timestamptz default now()
) returns void
language sql as $$
  select delivery.settle_one(p_workspace_id, p_delivery_id, delivery.beside_outcome(p_error) || jsonb_build_object(
    'delivery_id', p_delivery_id, 'token', p_claim_token, 'kind', 'failed', 'next_retry_at', p_next_retry_at,
    'error', delivery.stored_error(p_error) || '{"category": "TRANSIENT"}'), p_now)
$$;

create or replace function delivery.schedule_retry(
  p_workspace_id uuid, p_delivery_id uuid, p_next_retry_at timestamptz, p_error jsonb, p_now timestamptz default now()
) returns void
language sql as $$
  select delivery.schedule_retry(p_workspace_id, p_delivery_id, delivery.claim_token_of(p_workspace_id, p_delivery_id),
                                 p_next_retry_at, p_error, p_now)
$$;
