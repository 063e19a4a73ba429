-- How long before its send time a delivery may be given to a caller that waits: longer than the database takes to answer.
create or replace function delivery.start_lead() returns interval
language sql immutable parallel safe as $$
  select interval '50 milliseconds'
$$;
