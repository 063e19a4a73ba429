-- The id of one row of a batch of up to a million.
create or replace function molva.uuid_at(p_batch text, p_place bigint) returns uuid
language sql immutable parallel safe as $$
  select (p_batch || lpad(to_hex(p_place), 5, '0'))::uuid
$$;
