-- The common case: everything was sent.
create or replace function delivery.settle_sent(p_workspace_id uuid, p_outcomes jsonb, p_now timestamptz default now())
returns setof delivery.settled_delivery
language sql as $$
  with outcomes as materialized (
    select * from jsonb_to_recordset(p_outcomes) as o (delivery_id uuid, token text, provider_message_id text, meta jsonb)
  ),
  settled as (
    update delivery.deliveries d
    set status = 'sent', sent_at = p_now, provider_message_id = o.provider_message_id, provider_meta = o.meta,
        last_error = null, next_retry_at = null, claimed_at = null, claim_token = null, sending_started_at = null,
        updated_at = p_now
    from outcomes o
    -- The ids once more as a list: rows are looked up by it, whatever statistics the planner has. "Is true" keeps it from
    -- reading all live deliveries instead.
    where d.workspace_id = p_workspace_id and d.delivery_id = any (array(select i.delivery_id from outcomes i))
      and d.delivery_id = o.delivery_id and (d.status = 'sending') is true and d.claim_token = o.token
    returning d.delivery_id, d.message_id, d.channel_id, d.attempt, d.provider_message_id
  ),
  -- Locked in the common order.
  with_streak as materialized (
    select c.channel_id, c.connection_state from delivery.channels c
    where c.workspace_id = p_workspace_id and c.error_streak > 0 and c.channel_id in (select s.channel_id from settled s)
    order by c.channel_id
    for no key update
  ),
  cleared as (
    update delivery.channels c
    set error_streak = 0, connection_state = 'active', connection_error = null, updated_at = p_now
    from with_streak w
    where c.workspace_id = p_workspace_id and c.channel_id = w.channel_id
  ),
  event_ids as materialized (select molva.uuid_batch(p_now) as ids),
  noted as (
    insert into workspaces.events (workspace_id, id, delivery_id, message_id, channel_id, ts, action, attempt, result, meta)
    select p_workspace_id, molva.uuid_at(b.ids, row_number() over ()), s.delivery_id, s.message_id, s.channel_id,
      p_now + interval '4 microseconds', 'sent', s.attempt, 'ok',
      jsonb_build_object('provider_message_id', s.provider_message_id)
    from settled s
    cross join event_ids b
  ),
  restored as (
    insert into workspaces.events (workspace_id, id, channel_id, ts, action, result, meta)
    select p_workspace_id, molva.uuidv7(p_now), w.channel_id, p_now + interval '5 microseconds', 'connection_restored', 'ok',
      '{"because": "sent"}'
    from with_streak w
    where w.connection_state = 'error'
  )
  select o.delivery_id, s.delivery_id is not null, case when s.delivery_id is not null then 'sent' end, null::timestamptz
  from outcomes o
  left join settled s using (delivery_id)
$$;
