-- Which dispatchers are alive. A dispatcher that joins takes an advisory lock over a connection that does nothing else; when
-- its process ends, however it ends, PostgreSQL sees the connection closed and frees the lock. The others look every second.
--
-- A free lock alone proves nothing: after a restart of the database, or when somebody ended the connection, its owner is alive
-- and takes it again. So a run is gone only when its lock was found free throughout the grace period.

-- How long a lock must be free. Longer than a living process takes to connect again.
create or replace function delivery.run_grace() returns interval
language sql immutable parallel safe as $$ select interval '5 seconds' $$;

create or replace function delivery.run_lock(p_run_id text) returns bigint
language sql immutable parallel safe as $$ select hashtextextended('delivery.dispatcher_runs ' || p_run_id, 0) $$;

-- Takes the lock for this session and notes the run, unless this session has done so before. The setting lives as long as the
-- session does, as the lock does.
create or replace function delivery.join_run(p_run_id text, p_now timestamptz default now()) returns void
language plpgsql as $$
begin
  if current_setting('molva.run_id', true) is not distinct from p_run_id then
    return;
  end if;
  perform pg_advisory_lock(delivery.run_lock(p_run_id));
  perform set_config('molva.run_id', p_run_id, false);
  -- A machine that vanished from the network closes nothing: the server asks for it, and gives up after about ten seconds.
  perform set_config(name, value, false)
  from (values ('tcp_keepalives_idle', '4'), ('tcp_keepalives_interval', '2'), ('tcp_keepalives_count', '3')) as k (name, value);
  insert into delivery.dispatcher_runs (run_id, joined_at) values (p_run_id, p_now)
  on conflict (run_id) do update set missing_since = null, missed_at = null;
end
$$;

-- Runs that have joined and whose lock nobody holds at this moment.
create or replace function delivery.missing_runs() returns text[]
language sql stable as $$
  select coalesce(array_agg(r.run_id), '{}')
  from delivery.dispatcher_runs r
  where not exists (
    select from pg_locks l
    where l.locktype = 'advisory' and l.granted and l.objsubid = 1
      and l.database = (select oid from pg_database where datname = current_database())
      and (l.classid::bigint << 32 | l.objid::bigint) = delivery.run_lock(r.run_id))
$$;

-- For people: since when the run that a token names is known to be gone, and when others take over what it had in hand; no row
-- for a run that is alive or never joined.
create or replace function delivery.run_gone(p_token text, p_now timestamptz default now())
returns table (since timestamptz, taken_over_at timestamptz)
language sql stable as $$
  select coalesce(r.missing_since, p_now), coalesce(r.missing_since, p_now) + delivery.run_grace()
  from delivery.dispatcher_runs r
  where r.run_id = split_part(p_token, ':', 1) and r.run_id = any (delivery.missing_runs())
$$;

-- Takes over what dispatchers that are gone had in hand, as recover_leases does with leases, but without waiting for them.
-- `p_send_timeout` is how long one request to a provider may take: a process that is cut off from the database stops sending
-- within the grace period, and before anybody looks for its post, its last request has ended.
create or replace function delivery.recover_runs(
  p_send_timeout interval default interval '30 seconds', p_now timestamptz default now()
) returns table (workspace_id uuid, delivery_id uuid, was text, status text)
language plpgsql as $$
declare
  c_grace   constant interval := delivery.run_grace();
  v_missing constant text[] := delivery.missing_runs();
  v_gone    text[];
begin
  if v_missing = '{}' then
    return;
  end if;
  -- Looks that are further apart than the grace period say nothing about the time between them: it begins anew.
  with missed as (
    update delivery.dispatcher_runs r
    set missing_since = case when r.missed_at >= p_now - c_grace then r.missing_since else p_now end, missed_at = p_now
    where r.run_id in (
      select f.run_id from delivery.dispatcher_runs f where f.run_id = any (v_missing) for update skip locked)
    returning r.run_id, r.missing_since
  )
  select array_agg(m.run_id) into v_gone from missed m where m.missing_since <= p_now - c_grace;
  if v_gone is null then
    return;
  end if;
  return query select * from delivery.take_back(null, null, v_gone, p_send_timeout, p_now);
  -- A row that somebody held for a moment was passed over: the next look finds it, and forgets the run when nothing is left.
  if not found then
    delete from delivery.dispatcher_runs r where r.run_id = any (v_gone);
  end if;
end
$$;
