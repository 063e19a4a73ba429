create or replace function delivery.mark_sent(
  p_workspace_id uuid, p_delivery_id uuid, p_claim_token text, p_provider_message_id text, p_sent_at timestamptz,
  p_raw_meta jsonb
) returns void
language sql as $$
  select delivery.settle_one(p_workspace_id, p_delivery_id, delivery.beside_outcome(p_raw_meta) || jsonb_build_object(
    'delivery_id', p_delivery_id, 'token', p_claim_token, 'kind', 'sent',
    'provider_message_id', p_provider_message_id, 'meta', p_raw_meta - array['reconciled', 'late_ms']), p_sent_at)
$$;

create or replace function delivery.mark_sent(
  p_workspace_id uuid, p_delivery_id uuid, p_provider_message_id text, p_sent_at timestamptz, p_raw_meta jsonb
) returns void
language sql as $$
  select delivery.mark_sent(p_workspace_id, p_delivery_id, delivery.claim_token_of(p_workspace_id, p_delivery_id),
                            p_provider_message_id, p_sent_at, p_raw_meta)
$$;
