-- Records an attempt and what follows from it. `p_attempt`: {number, started_at, duration_ms, response_status?, response_body?,
-- error?}; without an error it arrived. `p_next_at` is the next attempt's time, null after the last. `p_gone`: the receiver wants
-- no more. A webhook whose attempts have all failed for `p_give_up` is disabled. A late result, after the lease was lost, is
-- recorded; only a success still ends the message. Returns the message's status.
create or replace function delivery.settle_webhook_attempt(
  p_workspace_id uuid, p_webhook_id uuid, p_event_id uuid, p_token uuid, p_attempt jsonb, p_next_at timestamptz, p_gone boolean,
  p_give_up interval, p_now timestamptz default now()
) returns text
language plpgsql as $$
declare
  v_arrived constant boolean := p_attempt ->> 'error' is null;
  v_webhook delivery.webhooks;
  v_message delivery.webhook_messages;
begin
  -- Locked in the claimer's order.
  select * into v_webhook from delivery.webhooks w
  where w.workspace_id = p_workspace_id and w.webhook_id = p_webhook_id for no key update;
  select * into v_message from delivery.webhook_messages m
  where m.workspace_id = p_workspace_id and m.webhook_id = p_webhook_id and m.event_id = p_event_id for update;
  if v_message.event_id is null then
    return null;
  end if;

  insert into delivery.webhook_attempts as a (
    workspace_id, webhook_id, event_id, number, started_at, duration_ms, response_status, response_body, error)
  select p_workspace_id, p_webhook_id, p_event_id, r.number, r.started_at, r.duration_ms, r.response_status,
    workspaces.redact_text(r.response_body), workspaces.redact_text(r.error)
  from jsonb_to_record(p_attempt) as r (
    number int, started_at timestamptz, duration_ms int, response_status int, response_body text, error text)
  on conflict (workspace_id, webhook_id, event_id, number) do update
    set started_at = excluded.started_at, duration_ms = excluded.duration_ms, response_status = excluded.response_status,
        response_body = excluded.response_body, error = excluded.error;

  if v_message.status = 'waiting' and (v_arrived or v_message.taken_by is not distinct from p_token) then
    update delivery.webhook_messages m
    set status = case when v_arrived then 'sent' when p_next_at is null then 'failed' else 'waiting' end,
        due_at = coalesce(p_next_at, m.due_at), taken_by = null,
        ended_at = case when v_arrived or p_next_at is null then p_now end
    where m.workspace_id = p_workspace_id and m.webhook_id = p_webhook_id and m.event_id = p_event_id
    returning * into v_message;
  end if;

  if v_arrived then
    update delivery.webhooks w set failing_since = null
    where w.workspace_id = p_workspace_id and w.webhook_id = p_webhook_id and w.failing_since is not null;
  elsif v_webhook.failing_since is null then
    update delivery.webhooks w set failing_since = p_now
    where w.workspace_id = p_workspace_id and w.webhook_id = p_webhook_id;
  end if;
  if not v_arrived and v_webhook.enabled and (p_gone or v_webhook.failing_since <= p_now - p_give_up) then
    perform delivery.disable_webhook(
      p_workspace_id, p_webhook_id, case when p_gone then 'gone' else 'failing' end, p_attempt ->> 'error', p_now);
    return 'failed';
  end if;
  return v_message.status;
end
$$;
