-- A webhook was disabled: what waits for it has failed, and can be replayed when it is enabled again.
create or replace function delivery.end_waiting_webhook_messages(
  p_workspace_id uuid, p_webhook_id uuid, p_now timestamptz default now()
) returns void
language sql as $$
  update delivery.webhook_messages m set status = 'failed', taken_by = null, ended_at = p_now
  where m.workspace_id = p_workspace_id and m.webhook_id = p_webhook_id and m.status = 'waiting'
$$;
