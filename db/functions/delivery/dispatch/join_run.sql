-- Takes the lock for this session and records the run, unless this session has done so before. The setting lives as long as
-- the session, like the lock.
create or replace function delivery.join_run(p_run_id text, p_now timestamptz default now()) returns void
language plpgsql as $$
begin
  if current_setting('molva.run_id', true) is not distinct from p_run_id then
    return;
  end if;
  perform pg_advisory_lock(delivery.run_lock(p_run_id));
  perform set_config('molva.run_id', p_run_id, false);
  -- A machine that disappears from the network closes no connection: with these settings the server probes it, and gives up
  -- after about ten seconds.
  perform set_config(name, value, false)
  from (values ('tcp_keepalives_idle', '4'), ('tcp_keepalives_interval', '2'), ('tcp_keepalives_count', '3')) as k (name, value);
  insert into delivery.dispatcher_runs (run_id, joined_at) values (p_run_id, p_now)
  on conflict (run_id) do update set missing_since = null, missed_at = null;
end
$$;
