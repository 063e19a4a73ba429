-- How long a lock must be free. Longer than a living process takes to connect again.
create or replace function delivery.run_grace() returns interval
language sql immutable parallel safe as $$ select interval '5 seconds' $$;
