-- The same; with `p_mended` also what its channel or the platform refused, because the operator says that the cause was
-- removed.
create or replace function delivery.send_again(
  p_workspace_id uuid, p_delivery_ids uuid[], p_mended boolean, p_operator text, p_reason text, p_now timestamptz default now()
) returns table (delivery_id uuid, was text, status text, refusal text)
language sql as $$
  select pg_notify('molva_deliveries', p_workspace_id::text);
  select from delivery.messages m
  where m.workspace_id = p_workspace_id and m.message_id in (
    select d.message_id from delivery.deliveries d
    where d.workspace_id = p_workspace_id and d.delivery_id = any (p_delivery_ids))
  order by m.message_id for no key update;
  with found as materialized (
    select d as delivery from delivery.deliveries d
    where d.workspace_id = p_workspace_id and d.delivery_id = any (p_delivery_ids)
    order by d.delivery_id for update
  ),
  judged as materialized (
    select (f.delivery).delivery_id, (f.delivery).status as was, (f.delivery).last_error ->> 'code' as code,
      (f.delivery).channel_id, (f.delivery).hash_version, (f.delivery).content_hash,
      case when (f.delivery).addressed then (f.delivery).delivery_id end as itself,
      coalesce(
        case when not (p_mended and delivery.was_refused(f.delivery)) then delivery.requeue_refusal(f.delivery) end,
        delivery.repeat_refusal(f.delivery, p_now)) as refusal
    from found f
  ),
  asked as materialized (
    select j.delivery_id, j.was, j.code, coalesce(j.refusal, case when row_number() over (
        partition by j.channel_id, j.hash_version, j.content_hash, j.itself, j.refusal is null order by j.delivery_id) > 1
      then 'the same post goes to this channel by another delivery of this request' end) as refusal
    from judged j
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
    insert into workspaces.events (workspace_id, id, delivery_id, message_id, channel_id, ts, action, attempt, result, meta)
    select p_workspace_id, molva.uuidv7(p_now), m.delivery_id, m.message_id, m.channel_id, p_now, 'manual_requeue',
      m.attempt, 'ok', delivery.operator_meta(p_operator, p_reason)
        || jsonb_strip_nulls(jsonb_build_object('from_status', m.was, 'from_code', m.code,
                                                'recovered', case when p_mended then true end))
    from moved m
  )
  select i.id, a.was, coalesce(m.status, a.was), delivery.refusal_of(a.was, a.refusal)
  from unnest(p_delivery_ids) with ordinality as i (id, place)
  left join asked a on a.delivery_id = i.id
  left join moved m on m.delivery_id = i.id
  order by i.place
$$;
