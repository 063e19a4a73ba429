-- The runbook's three ways to send something again. They answer as the operations on waiting deliveries do.

-- Sends again what is dead, or failed for a fault of its own; a channel's or a platform's refusal is mended there.
-- Grants one more attempt. An outcome that was left to a person is decided by this very act, and a post that was dropped
-- for its age counts its age from now on. A post that has come to the channel by another delivery meanwhile stays where
-- it is; the message's lock is the one under which enqueue judges the same.
create or replace function delivery.requeue(
  p_workspace_id uuid, p_delivery_ids uuid[], p_operator text, p_reason text, p_now timestamptz default now()
) returns table (delivery_id uuid, was text, status text, refusal text)
language sql as $$
  select * from delivery.send_again(p_workspace_id, p_delivery_ids, false, p_operator, p_reason, p_now)
$$;

-- The same; with `p_mended` also what its channel or the platform refused, because the operator says that they were mended.
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
      coalesce(
        case when not (p_mended and delivery.was_refused(f.delivery)) then delivery.requeue_refusal(f.delivery) end,
        delivery.repeat_refusal(f.delivery, p_now)) as refusal
    from found f
  ),
  asked as materialized (
    select j.delivery_id, j.was, j.code, coalesce(j.refusal, case when row_number() over (
        partition by j.channel_id, j.hash_version, j.content_hash, j.refusal is null order by j.delivery_id) > 1
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

create or replace function delivery.requeue_refusal(p_delivery delivery.deliveries) returns text
language sql stable as $$
  select case
    when p_delivery.status = 'dead' then null
    when p_delivery.status = 'failed_permanent' then
      case coalesce(p_delivery.last_error ->> 'scope', 'delivery')
        when 'delivery' then null
        when 'channel' then 'its channel refused it: mend the channel, then recover what failed'
        else 'the platform refused it: mend that, then recover what failed'
      end
    when p_delivery.status = 'sent' then 'it was sent already'
    when p_delivery.status = 'deduped' then 'it was never queued: the channel has the same post'
    else 'it is on its way'
  end
$$;

-- Whether a channel or the platform turned it away, so that it did not arrive and may when the cause is mended.
create or replace function delivery.was_refused(p_delivery delivery.deliveries) returns boolean
language sql stable as $$
  select p_delivery.status = 'failed_permanent' and p_delivery.last_error ->> 'scope' in ('channel', 'platform')
$$;

-- Whether the channel has the post, or will have it, by another delivery. Uses deliveries_inflight and deliveries_sent.
create or replace function delivery.repeat_refusal(p_delivery delivery.deliveries, p_now timestamptz default now()) returns text
language sql stable as $$
  select coalesce(
    (select 'the same post is on its way to this channel: ' || d.delivery_id
     from delivery.deliveries d
     where d.workspace_id = p_delivery.workspace_id and d.channel_id = p_delivery.channel_id
       and d.hash_version = p_delivery.hash_version and d.content_hash = p_delivery.content_hash
       and d.status in ('queued', 'claimed', 'sending', 'retry') and d.delivery_id <> p_delivery.delivery_id
     order by d.created_at desc limit 1),
    (select 'the channel got the same post since: ' || d.delivery_id
     from delivery.deliveries d
     join delivery.channels c using (workspace_id, channel_id)
     where d.workspace_id = p_delivery.workspace_id and d.channel_id = p_delivery.channel_id
       and d.hash_version = p_delivery.hash_version and d.content_hash = p_delivery.content_hash
       and d.status = 'sent' and d.sent_at is not null
       and d.sent_at >= p_now - make_interval(hours => coalesce(c.dedup_ttl_hours, 168))
     order by d.sent_at desc limit 1))
$$;

-- Takes claimed and sending deliveries away from whoever has had them for longer than that. One that was being sent may
-- have arrived, so it is looked up first; one that has no attempt left gets one more.
create or replace function delivery.release_stuck(
  p_workspace_id uuid, p_older_than interval, p_operator text, p_reason text, p_now timestamptz default now()
) returns table (delivery_id uuid, was text, status text, refusal text)
language sql as $$
  select pg_notify('molva_deliveries', p_workspace_id::text);
  with stuck as materialized (
    select d.delivery_id, d.status as was, p.max_attempts
    from delivery.deliveries d
    cross join delivery.workspace_policy(p_workspace_id) p
    where d.workspace_id = p_workspace_id and d.status in ('claimed', 'sending')
      and coalesce(d.sending_started_at, d.claimed_at) < p_now - p_older_than
    order by d.delivery_id for update of d skip locked
  ),
  moved as (
    update delivery.deliveries d
    set status = 'retry', next_retry_at = p_now + interval '15 seconds',
        requeues = d.requeues + case when d.attempt >= s.max_attempts + d.requeues then 1 else 0 end,
        claimed_at = null, claim_token = null, sending_started_at = null, updated_at = p_now,
        last_error = case s.was when 'claimed' then d.last_error else jsonb_build_object(
          'category', 'TRANSIENT', 'scope', 'delivery', 'code', 'outcome_unknown', 'cause', 'manual_stuck_release',
          'message', 'an operator took it from the process that was sending it') end
    from stuck s
    where d.workspace_id = p_workspace_id and d.delivery_id = s.delivery_id
    returning d.delivery_id, d.status, d.message_id, d.channel_id, d.attempt, s.was
  ),
  noted as (
    insert into workspaces.events (workspace_id, id, delivery_id, message_id, channel_id, ts, action, attempt, result, meta)
    select p_workspace_id, molva.uuidv7(p_now), m.delivery_id, m.message_id, m.channel_id, p_now, 'manual_requeue',
      m.attempt, 'ok', delivery.operator_meta(p_operator, p_reason) || jsonb_build_object(
        'reason', 'manual_stuck_release', 'note', workspaces.redact_text(btrim(p_reason)), 'from_status', m.was)
    from moved m
  )
  select m.delivery_id, m.was, m.status, null::text from moved m order by m.delivery_id
$$;
