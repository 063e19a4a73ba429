-- Takes over the deliveries of dead dispatchers, as recover_leases does, but without waiting for the leases. `p_send_timeout`
-- is how long one request to a provider may take: a process that is cut off from the database stops sending within the grace
-- period, so its last request has ended before anybody looks up its post.
create or replace function delivery.recover_runs(
  p_send_timeout interval default interval '30 seconds', p_now timestamptz default now()
) returns setof delivery.recovered_delivery
language plpgsql as $$
declare
  c_grace   constant interval := delivery.run_grace();
  v_missing constant text[] := delivery.missing_runs();
  v_gone    text[];
  v_corrections int;
begin
  if v_missing = '{}' then
    return;
  end if;
  -- Checks that are further apart than the grace period say nothing about the time between them, so the period starts again.
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
  v_corrections := delivery.take_back_corrections(null, v_gone, p_send_timeout, p_now);
  return query select * from delivery.take_back(null, null, v_gone, p_send_timeout, p_now);
  -- A row that somebody held for a moment was skipped: the next check finds it, and deletes the run when nothing is left.
  if not found and v_corrections = 0 then
    delete from delivery.dispatcher_runs r where r.run_id = any (v_gone);
  end if;
end
$$;
