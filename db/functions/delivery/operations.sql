-- What operators do to deliveries that have not ended. Each function takes a set of ids, changes those it may, leaves an
-- event with the operator's name and reason for each of them, and answers a row for every id: `was` is null for an unknown
-- one, `refusal` says why one was left as it was. Attempts are never touched: they count what was sent, not what was decided.
--
-- Rows are locked by id. Nobody who claims, starts or recovers waits for these locks, so they close no circle.

create or replace function delivery.cancel(
  p_workspace_id uuid, p_delivery_ids uuid[], p_operator text, p_reason text, p_now timestamptz default now()
) returns table (delivery_id uuid, was text, status text, refusal text)
language sql as $$
  with asked as materialized (
    select d.delivery_id, d.status as was, delivery.waiting_refusal(d) as refusal
    from delivery.deliveries d
    where d.workspace_id = p_workspace_id and d.delivery_id = any (p_delivery_ids)
    order by d.delivery_id for update
  ),
  moved as (
    update delivery.deliveries d
    set status = 'failed_permanent', next_retry_at = null, held_at = null, hold_reason = null,
        claimed_at = null, claim_token = null, updated_at = p_now,
        last_error = jsonb_build_object('category', 'PERMANENT', 'scope', 'delivery', 'code', 'cancelled',
                                        'message', 'an operator called it off')
    from asked a
    where d.workspace_id = p_workspace_id and d.delivery_id = a.delivery_id and a.refusal is null
    returning d.delivery_id, d.status, d.message_id, d.channel_id, d.attempt, a.was
  ),
  noted as (
    insert into workspaces.events (workspace_id, id, delivery_id, message_id, channel_id, ts, action, attempt, result, meta)
    select p_workspace_id, molva.uuidv7(p_now), m.delivery_id, m.message_id, m.channel_id, p_now, 'cancelled', m.attempt,
      'ok', delivery.operator_meta(p_operator, p_reason) || jsonb_build_object('from_status', m.was)
    from moved m
  )
  select i.id, a.was, coalesce(m.status, a.was), delivery.refusal_of(a.was, a.refusal)
  from unnest(p_delivery_ids) with ordinality as i (id, place)
  left join asked a on a.delivery_id = i.id
  left join moved m on m.delivery_id = i.id
  order by i.place
$$;

-- A claimed one gives its slot back.
create or replace function delivery.hold(
  p_workspace_id uuid, p_delivery_ids uuid[], p_operator text, p_reason text, p_now timestamptz default now()
) returns table (delivery_id uuid, was text, status text, refusal text)
language sql as $$
  with asked as materialized (
    select d.delivery_id, d.status as was,
      coalesce(delivery.waiting_refusal(d), case when d.held_at is not null then 'it is held already' end) as refusal
    from delivery.deliveries d
    where d.workspace_id = p_workspace_id and d.delivery_id = any (p_delivery_ids)
    order by d.delivery_id for update
  ),
  moved as (
    update delivery.deliveries d
    set status = case when a.was <> 'claimed' then a.was when d.next_retry_at is null then 'queued' else 'retry' end,
        not_before = case a.was when 'claimed' then delivery.place_in_queue(d) else d.not_before end,
        held_at = p_now, hold_reason = 'operator: ' || workspaces.redact_text(btrim(p_reason)),
        claimed_at = null, claim_token = null, updated_at = p_now
    from asked a
    where d.workspace_id = p_workspace_id and d.delivery_id = a.delivery_id and a.refusal is null
    returning d.delivery_id, d.status, d.message_id, d.channel_id, d.attempt
  ),
  noted as (
    insert into workspaces.events (workspace_id, id, delivery_id, message_id, channel_id, ts, action, attempt, result, meta)
    select p_workspace_id, molva.uuidv7(p_now), m.delivery_id, m.message_id, m.channel_id, p_now, 'held', m.attempt,
      'ok', delivery.operator_meta(p_operator, p_reason)
    from moved m
  )
  select i.id, a.was, coalesce(m.status, a.was), delivery.refusal_of(a.was, a.refusal)
  from unnest(p_delivery_ids) with ordinality as i (id, place)
  left join asked a on a.delivery_id = i.id
  left join moved m on m.delivery_id = i.id
  order by i.place
$$;

-- What was held because it grew too old would be held again at once, so its age counts from now on.
create or replace function delivery.release(
  p_workspace_id uuid, p_delivery_ids uuid[], p_operator text, p_reason text, p_now timestamptz default now()
) returns table (delivery_id uuid, was text, status text, refusal text)
language sql as $$
  select pg_notify('molva_deliveries', p_workspace_id::text);
  with asked as materialized (
    select d.delivery_id, d.status as was, d.hold_reason,
      coalesce(delivery.waiting_refusal(d), case when d.held_at is null then 'it is not held' end) as refusal
    from delivery.deliveries d
    where d.workspace_id = p_workspace_id and d.delivery_id = any (p_delivery_ids)
    order by d.delivery_id for update
  ),
  moved as (
    update delivery.deliveries d
    set held_at = null, hold_reason = null, updated_at = p_now,
        scheduled_for = case a.hold_reason when 'stale' then p_now else d.scheduled_for end
    from asked a
    where d.workspace_id = p_workspace_id and d.delivery_id = a.delivery_id and a.refusal is null
    returning d.delivery_id, d.status, d.message_id, d.channel_id, d.attempt, a.hold_reason
  ),
  noted as (
    insert into workspaces.events (workspace_id, id, delivery_id, message_id, channel_id, ts, action, attempt, result, meta)
    select p_workspace_id, molva.uuidv7(p_now), m.delivery_id, m.message_id, m.channel_id, p_now, 'released', m.attempt,
      'ok', delivery.operator_meta(p_operator, p_reason) || jsonb_build_object('hold_reason', m.hold_reason)
    from moved m
  )
  select i.id, a.was, coalesce(m.status, a.was), delivery.refusal_of(a.was, a.refusal)
  from unnest(p_delivery_ids) with ordinality as i (id, place)
  left join asked a on a.delivery_id = i.id
  left join moved m on m.delivery_id = i.id
  order by i.place
$$;

-- What waits for its time does not wait any longer: now is its exact time. The channel's and the group's pace stay in
-- force, and so does a wait that the provider asked for.
create or replace function delivery.send_now(
  p_workspace_id uuid, p_delivery_ids uuid[], p_operator text, p_reason text, p_now timestamptz default now()
) returns table (delivery_id uuid, was text, status text, refusal text)
language sql as $$
  select pg_notify('molva_deliveries', p_workspace_id::text);
  with asked as materialized (
    select d.delivery_id, d.status as was, d.due_at,
      coalesce(delivery.waiting_refusal(d), case
        when d.held_at is not null then 'it is held: release it first'
        when d.status = 'claimed' then 'it has its slot already'
        when d.due_at <= p_now then 'it is due already: only the queue is before it'
        when d.next_retry_at > p_now and d.last_error ? 'retry_after_ms' then 'the provider asked to wait'
      end) as refusal
    from delivery.deliveries d
    where d.workspace_id = p_workspace_id and d.delivery_id = any (p_delivery_ids)
    order by d.delivery_id for update
  ),
  moved as (
    update delivery.deliveries d
    set not_before = p_now, scheduled_for = p_now, updated_at = p_now,
        next_retry_at = case when d.next_retry_at is not null then p_now end
    from asked a
    where d.workspace_id = p_workspace_id and d.delivery_id = a.delivery_id and a.refusal is null
    returning d.delivery_id, d.status, d.message_id, d.channel_id, d.attempt, a.due_at as was_due_at
  ),
  noted as (
    insert into workspaces.events (workspace_id, id, delivery_id, message_id, channel_id, ts, action, attempt, result, meta)
    select p_workspace_id, molva.uuidv7(p_now), m.delivery_id, m.message_id, m.channel_id, p_now, 'released', m.attempt,
      'ok', delivery.operator_meta(p_operator, p_reason) || jsonb_build_object('was_due_at', m.was_due_at)
    from moved m
  )
  select i.id, a.was, coalesce(m.status, a.was), delivery.refusal_of(a.was, a.refusal)
  from unnest(p_delivery_ids) with ordinality as i (id, place)
  left join asked a on a.delivery_id = i.id
  left join moved m on m.delivery_id = i.id
  order by i.place
$$;

-- Why a delivery is not among those that wait, or null.
create or replace function delivery.waiting_refusal(p_delivery delivery.deliveries) returns text
language sql stable as $$
  select case p_delivery.status
    when 'sending' then 'it is being sent'
    when 'sent' then 'it was sent already'
    when 'deduped' then 'it was never queued: the channel has the same post'
    when 'failed_permanent' then 'it has failed already'
    when 'dead' then 'its attempts are used up already'
  end
$$;

create or replace function delivery.refusal_of(p_was text, p_refusal text) returns text
language sql immutable parallel safe as $$
  select case when p_was is null then 'there is no such delivery' else p_refusal end
$$;

-- Who did it and why, for the event. Nobody acts without a name and a reason; what people paste into reasons is masked
-- like everything else.
create or replace function delivery.operator_meta(p_operator text, p_reason text) returns jsonb
language plpgsql immutable parallel safe as $$
begin
  if coalesce(btrim(p_operator), '') = '' or coalesce(btrim(p_reason), '') = '' then
    raise exception 'an operation on deliveries needs an operator and a reason' using errcode = 'invalid_parameter_value';
  end if;
  return jsonb_build_object('operator', btrim(p_operator), 'reason', workspaces.redact_text(btrim(p_reason)));
end
$$;
