-- Why a delivery is not (yet) sent: exactly one reason, since when it applies, and when the delivery is expected to be sent,
-- if that is known. No row if there is no such delivery.
--
-- An ended delivery says how it ended: sent, deduped, failed_permanent, dead.
-- One that is being sent: sending; process_gone if its process has ended, or lease_expired if its lease has.
-- A waiting one has the first of these reasons that applies:
--   1. held                    by an operator, or because the post became too old
--   2. workspace_paused, workspace_disabled, channel_disabled
--                              only a person ends it; also if it is still hidden behind a block that ends by itself
--   3. channel_paused, group_cooldown, window_closed
--                              what blocks the channel now (delivery.channel_block), unless the delivery's own time is later
--   4. scheduled, retry_wait, outcome_unknown, waiting_for_slot
--                              its own time is in the future
--   5. lease_expired           it was claimed and was not started
--   6. dispatcher_not_running  nothing has blocked it for half a minute and no dispatcher takes it
--   7. rate_gate               others of its channel or its group come first
--   8. process_gone            all places of its channel are in use, one of them by a dead process
--   9. max_parallel            its channel has as many sends in progress as it allows
--  10. ready                   the dispatcher takes it next
-- Beside the reason, `corrections` of the details tells what is still to be done to the post, or what failed
-- (delivery.correction_facts).
-- The two leases are settings of the processes; pass them if they are not the defaults.
create or replace function delivery.why(
  p_workspace_id  uuid,
  p_delivery_id   uuid,
  p_now           timestamptz default now(),
  p_sending_lease interval default interval '300 seconds',
  p_claimed_lease interval default interval '300 seconds'
) returns table (reason text, since timestamptz, expected_at timestamptz, details jsonb)
language plpgsql stable as $$
declare
  v_delivery delivery.deliveries;
  v_channel  delivery.channels;
  v_beside   jsonb;
begin
  select * into v_delivery from delivery.deliveries d
  where d.workspace_id = p_workspace_id and d.delivery_id = p_delivery_id;
  if not found then
    return;
  end if;
  v_beside := jsonb_strip_nulls(jsonb_build_object('corrections', delivery.correction_facts(v_delivery, p_now, p_sending_lease)));
  if v_delivery.status in ('sent', 'deduped', 'failed_permanent', 'dead') then
    return query select w.reason, w.since, w.expected_at, w.details || v_beside from delivery.why_ended(v_delivery) w;
  elsif v_delivery.status = 'sending' then
    return query select w.reason, w.since, w.expected_at, w.details || v_beside
      from delivery.why_sending(v_delivery, p_sending_lease, p_now) w;
  else
    select * into v_channel from delivery.channels c
    where c.workspace_id = p_workspace_id and c.channel_id = v_delivery.channel_id;
    return query select w.reason, w.since, w.expected_at, w.details || v_beside
      from delivery.why_waiting(v_delivery, v_channel, p_claimed_lease, p_now) w;
  end if;
end
$$;

create or replace function delivery.why_ended(p_delivery delivery.deliveries)
returns table (reason text, since timestamptz, expected_at timestamptz, details jsonb)
language sql stable as $$
  select p_delivery.status, coalesce(p_delivery.sent_at, p_delivery.updated_at), null::timestamptz,
    jsonb_strip_nulls(jsonb_build_object(
      'attempt', p_delivery.attempt,
      'provider_message_id', p_delivery.provider_message_id,
      'url', p_delivery.provider_meta ->> 'url',
      'withdrawn_at', p_delivery.withdrawn_at,
      'error', delivery.error_of(p_delivery.last_error),
      'can_requeue', case when p_delivery.status in ('dead', 'failed_permanent')
                       then delivery.requeue_refusal(p_delivery) is null end,
      'addressed', delivery.addressed_facts(p_delivery),
      'page', delivery.page_facts(p_delivery),
      'help', case when delivery.was_refused(p_delivery) and not delivery.is_promised(p_delivery) then 'recover'
                   when delivery.was_refused(p_delivery) and delivery.requeue_refusal(p_delivery) is not null then 'renew_connection'
                   when p_delivery.status in ('dead', 'failed_permanent') then 'requeue' end))
$$;

create or replace function delivery.why_sending(
  p_delivery delivery.deliveries, p_lease interval, p_now timestamptz default now()
) returns table (reason text, since timestamptz, expected_at timestamptz, details jsonb)
language sql stable as $$
  select case when g.taken_over_at is not null then 'process_gone' when l.lease_until > p_now then 'sending' else 'lease_expired' end,
    case when g.taken_over_at is not null then g.since when l.lease_until > p_now then p_delivery.sending_started_at
      else l.lease_until end,
    greatest(least(l.lease_until, g.taken_over_at), p_now),
    delivery.attempts_of(p_delivery) || jsonb_build_object(
      'lease_until', l.lease_until, 'run_id', split_part(p_delivery.claim_token, ':', 1), 'status', 'sending')
    || jsonb_strip_nulls(jsonb_build_object('addressed', delivery.addressed_facts(p_delivery)))
  from (select p_delivery.sending_started_at + p_lease as lease_until) l
  left join delivery.run_gone(p_delivery.claim_token, p_now) g on true
$$;
