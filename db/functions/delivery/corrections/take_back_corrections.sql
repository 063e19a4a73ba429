-- Releases corrections that were in progress for longer than their lease, and all those of the runs in `p_gone`: their
-- outcome is unknown, so they are retried, `p_least_wait` from now at the earliest. Returns their number.
create or replace function delivery.take_back_corrections(
  p_lease interval, p_gone text[], p_least_wait interval, p_now timestamptz default now()
) returns int
language plpgsql
set plan_cache_mode = force_custom_plan
as $$
declare
  v_stale  record;
  v_row    delivery.corrections;
  v_newer  boolean;
  v_count  int := 0;
  v_retry  timestamptz;
begin
  for v_stale in
    select c.workspace_id, c.correction_id, split_part(c.claim_token, ':', 1) as run_id, p.max_attempts
    from delivery.corrections c
    join delivery.deliveries d using (workspace_id, delivery_id)
    join workspaces.workspaces w using (workspace_id)
    cross join lateral delivery.policy_of(w.settings) p
    where c.status = 'sending'
      and (c.sending_started_at < p_now - p_lease or split_part(c.claim_token, ':', 1) = any (p_gone))
    order by c.workspace_id, c.delivery_id
    -- Also locks the delivery, so that a concurrent correction of it waits.
    for update of d, c skip locked
  loop
    v_retry := p_now + greatest(make_interval(secs => 10 + 20 * random()), p_least_wait);
    select * into v_row from delivery.corrections c
    where c.workspace_id = v_stale.workspace_id and c.correction_id = v_stale.correction_id;
    v_newer := delivery.hold_newer_correction(v_row, v_retry, p_now);
    update delivery.corrections c
    set status = s.status, claim_token = null, sending_started_at = null, updated_at = p_now,
        due_at = case s.status when 'retry' then v_retry else c.due_at end, ended_at = case when s.status <> 'retry' then p_now end,
        last_error = jsonb_build_object(
          'category', 'TRANSIENT', 'scope', 'delivery', 'code', 'outcome_unknown',
          'cause', case when v_stale.run_id = any (p_gone) then 'process_gone' else 'sending_lease_expired' end,
          'message', 'the process that was correcting it stopped before it could say how it ended')
    from (select case when v_row.attempt >= v_stale.max_attempts then 'dead' when v_newer then 'superseded' else 'retry' end) as s (status)
    where c.workspace_id = v_stale.workspace_id and c.correction_id = v_stale.correction_id
    returning c.* into v_row;
    perform delivery.correction_event(v_row, 'correction_lease_expired', 2, v_row.last_error,
      jsonb_build_object('run_id', v_stale.run_id), p_now);
    perform delivery.note_correction_end(v_row, 'unknown', null, p_now);
    perform pg_notify('molva_deliveries', v_stale.workspace_id || '/corrections');
    v_count := v_count + 1;
  end loop;
  return v_count;
end
$$;
