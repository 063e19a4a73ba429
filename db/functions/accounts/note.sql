-- What happened to a task or an account, in the audit trail that deliveries have too: the task stands where a delivery does, its
-- object where the message does, its chat where the channel does.
create or replace function accounts.note(
  p_workspace_id uuid, p_action text, p_account_id uuid, p_task accounts.queue, p_error jsonb, p_meta jsonb default '{}',
  p_now timestamptz default now()
) returns void
language sql as $$
  insert into delivery.events
    (workspace_id, id, delivery_id, message_id, channel_id, ts, action, attempt, result, error, meta)
  values (p_workspace_id, molva.uuidv7(p_now), p_task.id, p_task.object_id, p_task.chat_id, p_now, p_action,
    coalesce(p_task.attempts, 0), case when p_error is null then 'ok' else 'error' end, p_error,
    jsonb_strip_nulls(jsonb_build_object('account_id', p_account_id) || p_meta))
$$;
