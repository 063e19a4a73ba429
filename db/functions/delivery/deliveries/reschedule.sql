-- Gives waiting deliveries another exact time. Pace, pauses and a wait that the provider asked for still apply; a closed window does not.
-- A time in the past, or further ahead than delivery.longest_reschedule, is refused.
create or replace function delivery.reschedule(
  p_workspace_id uuid, p_delivery_ids uuid[], p_at timestamptz, p_operator text, p_reason text, p_now timestamptz default now()
) returns table (delivery_id uuid, was text, status text, refusal text)
language sql as $$
  select pg_notify('molva_deliveries', p_workspace_id::text);
  with asked as materialized (
    select d.delivery_id, d.status as was, d.due_at,
      coalesce(delivery.waiting_refusal(d), case
        when d.held_at is not null then 'it is held: release it first'
        when d.status = 'claimed' then 'it has its slot already'
        when p_at <= p_now then 'the time is in the past: send_now sends it at once'
        when p_at > p_now + delivery.longest_reschedule() then 'the time is more than a year ahead'
        when p_at < d.next_retry_at and d.last_error ? 'retry_after_ms' then 'the provider asked to wait'
      end) as refusal
    from delivery.deliveries d
    where d.workspace_id = p_workspace_id and d.delivery_id = any (p_delivery_ids)
    order by d.delivery_id for update
  ),
  moved as (
    update delivery.deliveries d
    set not_before = p_at, scheduled_for = p_at, updated_at = p_now,
        next_retry_at = case when d.next_retry_at is not null then p_at end
    from asked a
    where d.workspace_id = p_workspace_id and d.delivery_id = a.delivery_id and a.refusal is null
    returning d.delivery_id, d.status, d.message_id, d.channel_id, d.attempt, a.due_at as was_due_at
  ),
  noted as (
    insert into workspaces.events (workspace_id, id, delivery_id, message_id, channel_id, ts, action, attempt, result, meta)
    select p_workspace_id, molva.uuidv7(p_now), m.delivery_id, m.message_id, m.channel_id, p_now, 'rescheduled', m.attempt,
      'ok', delivery.operator_meta(p_operator, p_reason) || jsonb_build_object('was_due_at', m.was_due_at, 'due_at', p_at)
    from moved m
  )
  select i.id, a.was, coalesce(m.status, a.was), delivery.refusal_of(a.was, a.refusal)
  from unnest(p_delivery_ids) with ordinality as i (id, place)
  left join asked a on a.delivery_id = i.id
  left join moved m on m.delivery_id = i.id
  order by i.place
$$;

create or replace function delivery.longest_reschedule() returns interval
language sql immutable parallel safe as $$ select interval '366 days' $$;
