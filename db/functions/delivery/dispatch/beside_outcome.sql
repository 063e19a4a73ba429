-- What an adapter says besides the error or the meta itself: where the provider's whole answer is kept, what looking for an
-- earlier attempt found, and how late its request may have arrived.
create or replace function delivery.beside_outcome(p_said jsonb) returns jsonb
language sql immutable parallel safe as $$
  select jsonb_strip_nulls(jsonb_build_object(
    'payload_ref', p_said -> 'payload_ref', 'reconciled', p_said -> 'reconciled', 'late_ms', p_said -> 'late_ms'))
$$;
