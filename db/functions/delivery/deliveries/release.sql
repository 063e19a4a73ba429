-- A delivery that was held because of its age would be held again at once, so its age is counted from now on.
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
