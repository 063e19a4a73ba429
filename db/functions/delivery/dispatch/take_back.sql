-- Releases deliveries that were claimed or being sent for longer than their lease, and all those of the runs in `p_gone`. The
-- attempt is not counted again; a delivery that was already being sent may have arrived, so its outcome is unknown and it is
-- looked up before anything is sent again, `p_least_wait` from now at the earliest. A null lease never expires.
create or replace function delivery.take_back(
  p_sending_lease interval,
  p_claimed_lease interval,
  p_gone          text[],
  p_least_wait    interval,
  p_now           timestamptz default now()
) returns setof delivery.recovered_delivery
language plpgsql
set plan_cache_mode = force_custom_plan
as $$
declare
  v_expired uuid[] := array(
    select distinct d.channel_id from delivery.deliveries d
    where d.status = 'claimed'
      and ((d.not_before <= p_now and d.claimed_at < p_now - p_claimed_lease) or d.claim_token = any (p_gone)));
begin
  -- A channel's claims are returned together: one that kept its slot would overtake those that get new ones. The lock
  -- prevents new slots in the meantime; it is a separate statement, so that the query below sees what was claimed before it.
  perform from delivery.channels c
  where c.channel_id = any (v_expired)
  order by c.workspace_id, c.channel_id
  for no key update;

  return query
  with stale as materialized (
    select d.workspace_id, d.delivery_id, d.status as was, r.run_id = any (p_gone) as gone, r.run_id,
      case when d.status = 'claimed' then 'queued'
           when d.attempt >= p.max_attempts + d.requeues then 'dead'
           else 'retry'
      end as new_status
    from delivery.deliveries d
    join workspaces.workspaces w using (workspace_id)
    cross join lateral delivery.policy_of(w.settings) p
    cross join lateral (select split_part(d.claim_token, ':', 1)) as r (run_id)
    where (d.status = 'sending' and (d.sending_started_at < p_now - p_sending_lease or r.run_id = any (p_gone)))
       or (d.status = 'claimed' and d.channel_id = any (v_expired))
    for update of d skip locked
  ),
  freed as (
    update delivery.deliveries d
    set status = s.new_status,
        not_before = case s.was when 'claimed' then delivery.place_in_queue(d) else d.not_before end,
        next_retry_at = case s.new_status when 'retry' then
          p_now + greatest(make_interval(secs => 10 + 20 * random()), p_least_wait) end,
        last_error = case s.was
          when 'sending' then jsonb_build_object(
            'category', 'TRANSIENT', 'scope', 'delivery', 'code', 'outcome_unknown',
            'cause', case when s.gone then 'process_gone' else 'sending_lease_expired' end,
            'message', 'the process that was sending it stopped before it could say how it ended')
          else d.last_error end,
        claimed_at = null, claim_token = null, sending_started_at = null, updated_at = p_now
    from stale s
    where d.workspace_id = s.workspace_id and d.delivery_id = s.delivery_id
    returning d.*, s.was, s.gone, s.run_id
  ),
  noted as (
    insert into workspaces.events (workspace_id, id, delivery_id, message_id, channel_id, ts, action, attempt, result, error, meta)
    select f.workspace_id, molva.uuidv7(p_now), f.delivery_id, f.message_id, f.channel_id,
      p_now + a.place * interval '1 microsecond', a.action, f.attempt,
      'error', case f.was when 'sending' then f.last_error end, a.meta
    from freed f
    cross join lateral (
      select 2, f.was || '_lease_expired', jsonb_strip_nulls(jsonb_build_object(
        'run_id', f.run_id, 'reason', case when f.gone then 'process_gone' end))
      union all
      select 3, 'dead_letter', '{"reason": "sending_lease_expired_max_attempts"}' where f.status = 'dead'
    ) as a (place, action, meta)
  )
  select f.workspace_id, f.delivery_id, f.was, f.status from freed f;
end
$$;
