-- The error as it is stored. The provider's own words stay out of the table: `payload_ref` leads to them.
create or replace function delivery.stored_error(p_error jsonb) returns jsonb
language sql immutable parallel safe as $$
  select '{"scope": "delivery"}'::jsonb || (p_error - array['raw', 'payload_ref', 'reconciled', 'late_ms'])
$$;
