-- A claimed delivery loses its slot.
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
