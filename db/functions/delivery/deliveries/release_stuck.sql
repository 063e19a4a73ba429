-- Releases claimed and sending deliveries that somebody has held for longer than that. One that was being sent may have
-- arrived, so it is looked up first; one without attempts left gets one more.
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
