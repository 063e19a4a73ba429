-- Records an event of a task or an account in the common audit trail. A task is not a delivery and its chat is not a channel,
-- so their ids go into `meta`: the columns of the trail refer to existing deliveries and channels.
create or replace function accounts.note(
  p_workspace_id uuid, p_action text, p_account_id uuid, p_task accounts.queue, p_error jsonb, p_meta jsonb default '{}',
  p_now timestamptz default now()
) returns void
language sql as $$
  insert into workspaces.events (workspace_id, id, ts, action, attempt, result, error, meta)
  values (p_workspace_id, molva.uuidv7(p_now), p_now, p_action, 0, case when p_error is null then 'ok' else 'error' end,
    workspaces.redact(p_error - 'raw'),
    jsonb_strip_nulls(jsonb_build_object(
      'account_id', p_account_id, 'task_id', p_task.id, 'object_id', p_task.object_id, 'chat_id', p_task.chat_id,
      'attempts', p_task.attempts) || workspaces.redact(p_meta)))
$$;
