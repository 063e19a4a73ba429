create or replace function delivery.run_lock(p_run_id text) returns bigint
language sql immutable parallel safe as $$ select hashtextextended('delivery.dispatcher_runs ' || p_run_id, 0) $$;
