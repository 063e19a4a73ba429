-- How long a lock must be free before its run counts as dead. Longer than a living process takes to reconnect.
create or replace function delivery.run_grace() returns interval
language sql immutable parallel safe as $$ select interval '5 seconds' $$;
