-- Takes over what dispatchers that are gone had in hand, as recover_leases does with leases, but without waiting for them.
-- `p_send_timeout` is how long one request to a provider may take: a process that is cut off from the database stops sending
-- within the grace period, and before anybody looks for its post, its last request has ended.
create or replace function delivery.recover_runs(
  p_send_timeout interval default interval '30 seconds', p_now timestamptz default now()
) returns setof delivery.recovered_delivery
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
