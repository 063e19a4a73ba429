-- Cancels deliveries that a person waited for and that were not sent in time. Those that are being sent end first; those that
-- may have arrived are left to their next attempt, which looks them up and sends nothing any more. Returns the number of
-- cancelled ones. Uses addressed_deliveries_waited_for.
create or replace function delivery.stop_waiting(p_now timestamptz default now()) returns int
language plpgsql
set plan_cache_mode = force_custom_plan
as $$
declare
  v_count int;
begin
  with late as materialized (
    select d.workspace_id, d.delivery_id, d.status as was
    from delivery.addressed_deliveries a
    join delivery.deliveries d using (workspace_id, delivery_id)
    where a.wait_until is not null and a.told is null and a.wait_until <= p_now
      and d.status in ('queued', 'retry', 'claimed') and d.last_error ->> 'code' is distinct from 'outcome_unknown'
    order by d.workspace_id, d.delivery_id
    limit 1000
    for update of d skip locked
  ),
  moved as (
    update delivery.deliveries d
    set status = 'failed_permanent', next_retry_at = null, held_at = null, hold_reason = null,
        claimed_at = null, claim_token = null, updated_at = p_now, last_error = delivery.waited_too_long(d.last_error)
    from late l
    where d.workspace_id = l.workspace_id and d.delivery_id = l.delivery_id
    returning d.workspace_id, d.delivery_id, d.message_id, d.channel_id, d.attempt, d.last_error, l.was
  ),
  noted as (
    insert into workspaces.events (workspace_id, id, delivery_id, message_id, channel_id, ts, action, attempt, result, error, meta)
    select m.workspace_id, molva.uuidv7(p_now), m.delivery_id, m.message_id, m.channel_id, p_now, 'cancelled', m.attempt, 'error',
      m.last_error, jsonb_build_object('reason', 'waited_too_long', 'from_status', m.was)
    from moved m
  )
  select count(*) into v_count from moved;
  return v_count;
end
$$;

-- The error that prevented the sending is kept, because the person wants to know why they waited.
create or replace function delivery.waited_too_long(p_last_error jsonb) returns jsonb
language sql immutable parallel safe as $$
  select jsonb_strip_nulls(jsonb_build_object(
    'category', 'PERMANENT', 'scope', 'delivery', 'code', 'cancelled', 'cause', p_last_error -> 'code',
    'message', concat_ws(': ', 'it was not sent while a person waited for it', p_last_error ->> 'message')))
$$;
