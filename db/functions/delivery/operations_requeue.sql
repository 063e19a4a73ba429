-- The runbook's three ways to send something again. They answer as the operations on waiting deliveries do.

-- Sends again what is dead, or failed for a fault of its own; a channel's or a platform's refusal is mended there.
-- Grants one more attempt. An outcome that was left to a person is decided by this very act, and a post that was dropped
-- for its age counts its age from now on.
create or replace function delivery.requeue(
  p_workspace_id uuid, p_delivery_ids uuid[], p_operator text, p_reason text, p_now timestamptz default now()
) returns table (delivery_id uuid, was text, status text, refusal text)
language sql as $$
  select pg_notify('molva_deliveries', p_workspace_id::text);
  with asked as materialized (
    select d.delivery_id, d.status as was, d.last_error ->> 'code' as code, delivery.requeue_refusal(d) as refusal
    from delivery.deliveries d
    where d.workspace_id = p_workspace_id and d.delivery_id = any (p_delivery_ids)
    order by d.delivery_id for update
  ),
  moved as (
    update delivery.deliveries d
    set status = 'retry', next_retry_at = p_now, requeues = d.requeues + 1,
        claimed_at = null, claim_token = null, sending_started_at = null, updated_at = p_now,
        scheduled_for = case a.code when 'stale_dropped' then p_now else d.scheduled_for end,
        last_error = case when a.was = 'failed_permanent' and a.code = 'outcome_unknown' then null else d.last_error end
    from asked a
    where d.workspace_id = p_workspace_id and d.delivery_id = a.delivery_id and a.refusal is null
    returning d.delivery_id, d.status, d.message_id, d.channel_id, d.attempt, a.was, a.code
  ),
  noted as (
    insert into delivery.events (workspace_id, id, delivery_id, message_id, channel_id, ts, action, attempt, result, meta)
    select p_workspace_id, molva.uuidv7(p_now), m.delivery_id, m.message_id, m.channel_id, p_now, 'manual_requeue',
      m.attempt, 'ok', delivery.operator_meta(p_operator, p_reason)
        || jsonb_strip_nulls(jsonb_build_object('from_status', m.was, 'from_code', m.code))
    from moved m
  )
  select i.id, a.was, coalesce(m.status, a.was), delivery.refusal_of(a.was, a.refusal)
  from unnest(p_delivery_ids) with ordinality as i (id, place)
  left join asked a on a.delivery_id = i.id
  left join moved m on m.delivery_id = i.id
  order by i.place
$$;

create or replace function delivery.requeue_refusal(p_delivery delivery.deliveries) returns text
language sql stable as $$
  select case
    when p_delivery.status = 'dead' then null
    when p_delivery.status = 'failed_permanent' then
      case coalesce(p_delivery.last_error ->> 'scope', 'delivery')
        when 'delivery' then null
        when 'channel' then 'its channel refused it: mend the channel and post again'
        else 'the platform refused it: mend that and post again'
      end
    when p_delivery.status = 'sent' then 'it is sent'
    when p_delivery.status = 'deduped' then 'it was never queued: the channel has the same post'
    else 'it is on its way'
  end
$$;

-- Takes claimed and sending deliveries away from whoever has had them for longer than that. One that was being sent may
-- have arrived, so it is looked up first; one that has no attempt left gets one more.
create or replace function delivery.release_stuck(
  p_workspace_id uuid, p_older_than interval, p_operator text, p_reason text, p_now timestamptz default now()
) returns table (delivery_id uuid, was text, status text, refusal text)
language sql as $$
  select pg_notify('molva_deliveries', p_workspace_id::text);
  with stuck as materialized (
    select d.delivery_id, d.status as was from delivery.deliveries d
    where d.workspace_id = p_workspace_id and d.status in ('claimed', 'sending')
      and coalesce(d.sending_started_at, d.claimed_at) < p_now - p_older_than
    order by d.delivery_id for update skip locked
  ),
  moved as (
    update delivery.deliveries d
    set status = 'retry', next_retry_at = p_now + interval '15 seconds',
        requeues = d.requeues + case when d.attempt >= 5 + d.requeues then 1 else 0 end,
        claimed_at = null, claim_token = null, sending_started_at = null, updated_at = p_now,
        last_error = case s.was when 'claimed' then d.last_error else jsonb_build_object(
          'category', 'TRANSIENT', 'scope', 'delivery', 'code', 'outcome_unknown', 'cause', 'manual_stuck_release',
          'message', 'an operator took it from the process that was sending it') end
    from stuck s
    where d.workspace_id = p_workspace_id and d.delivery_id = s.delivery_id
    returning d.delivery_id, d.status, d.message_id, d.channel_id, d.attempt, s.was
  ),
  noted as (
    insert into delivery.events (workspace_id, id, delivery_id, message_id, channel_id, ts, action, attempt, result, meta)
    select p_workspace_id, molva.uuidv7(p_now), m.delivery_id, m.message_id, m.channel_id, p_now, 'manual_requeue',
      m.attempt, 'ok', delivery.operator_meta(p_operator, p_reason) || jsonb_build_object(
        'reason', 'manual_stuck_release', 'note', btrim(p_reason), 'from_status', m.was)
    from moved m
  )
  select m.delivery_id, m.was, m.status, null::text from moved m order by m.delivery_id
$$;
