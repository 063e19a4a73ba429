-- The error in the form in which it is stored. The provider's own text is not in the table: `payload_ref` leads to it.
create or replace function delivery.stored_error(p_error jsonb) returns jsonb
language sql immutable parallel safe as $$
  select '{"scope": "delivery"}'::jsonb || (p_error - array['raw', 'payload_ref', 'reconciled', 'late_ms'])
$$;
