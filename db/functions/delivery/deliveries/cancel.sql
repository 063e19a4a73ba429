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
