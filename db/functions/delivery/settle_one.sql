-- The document's functions for one delivery. Each has a strict form that takes the claim token, for whoever holds it, and
-- a short form that finds the token itself, for people and n8n. All raise when the delivery is not being sent (by them).

create or replace function delivery.settle_one(
  p_workspace_id uuid, p_delivery_id uuid, p_outcome jsonb, p_now timestamptz default now()
) returns void
language plpgsql as $$
declare
  v_applied boolean;
begin
  if p_outcome ->> 'token' is null then
    raise exception 'delivery %: no claim token was given, or it is not being sent', p_delivery_id
      using errcode = 'object_not_in_prerequisite_state';
  end if;
  select s.applied into v_applied
  from delivery.settle_deliveries(p_workspace_id, jsonb_build_array(p_outcome), p_now) s;
  if not v_applied then
    raise exception 'delivery % is not being sent under this claim token', p_delivery_id
      using errcode = 'object_not_in_prerequisite_state';
  end if;
end
$$;

-- What an adapter says besides the error or the meta itself: where the provider's whole answer is kept, what looking for an
-- earlier attempt found, and how late its request may have arrived.
create or replace function delivery.beside_outcome(p_said jsonb) returns jsonb
language sql immutable parallel safe as $$
  select jsonb_strip_nulls(jsonb_build_object(
    'payload_ref', p_said -> 'payload_ref', 'reconciled', p_said -> 'reconciled', 'late_ms', p_said -> 'late_ms'))
$$;

-- The error as it is stored. The provider's own words stay out of the table: `payload_ref` leads to them.
create or replace function delivery.stored_error(p_error jsonb) returns jsonb
language sql immutable parallel safe as $$
  select '{"scope": "delivery"}'::jsonb || (p_error - array['raw', 'payload_ref', 'reconciled', 'late_ms'])
$$;

create or replace function delivery.claim_token_of(p_workspace_id uuid, p_delivery_id uuid) returns text
language sql stable as $$
  select d.claim_token from delivery.deliveries d
  where d.workspace_id = p_workspace_id and d.delivery_id = p_delivery_id and d.status = 'sending'
$$;

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

-- `p_next_retry_at` wins when given; otherwise the error's retry_after_ms, or the backoff, decides.
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

create or replace function delivery.fail_permanent(
  p_workspace_id uuid, p_delivery_id uuid, p_claim_token text, p_error jsonb, p_now timestamptz default now()
) returns void
language sql as $$
  select delivery.settle_one(p_workspace_id, p_delivery_id, delivery.beside_outcome(p_error) || jsonb_build_object(
    'delivery_id', p_delivery_id, 'token', p_claim_token, 'kind', 'failed',
    'error', delivery.stored_error(p_error) || '{"category": "PERMANENT"}'), p_now)
$$;

create or replace function delivery.fail_permanent(
  p_workspace_id uuid, p_delivery_id uuid, p_error jsonb, p_now timestamptz default now()
) returns void
language sql as $$
  select delivery.fail_permanent(p_workspace_id, p_delivery_id, delivery.claim_token_of(p_workspace_id, p_delivery_id),
                                 p_error, p_now)
$$;

-- Nobody knows whether it arrived: no answer came, or none that can be read. It is looked for before it is sent again.
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
