-- The time between two requests of a limited channel or group: a hundredth more than the rate requires.
create or replace function delivery.start_gap(p_rps numeric) returns interval
language sql immutable parallel safe as $$
  select interval '1.01 seconds' / p_rps::float8
$$;
