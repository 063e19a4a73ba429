-- What an adapter reports besides the error or the meta: where the provider's whole answer is stored, what the look-up of an
-- earlier attempt found, and how late its request may have arrived.
create or replace function delivery.beside_outcome(p_said jsonb) returns jsonb
language sql immutable parallel safe as $$
  select jsonb_strip_nulls(jsonb_build_object(
    'payload_ref', p_said -> 'payload_ref', 'reconciled', p_said -> 'reconciled', 'late_ms', p_said -> 'late_ms'))
$$;
