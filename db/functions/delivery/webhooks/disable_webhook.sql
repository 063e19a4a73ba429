-- Ends a webhook that its receiver gave up. The event raises an alert, and is told to other webhooks.
create or replace function delivery.disable_webhook(
  p_workspace_id uuid, p_webhook_id uuid, p_reason text, p_error text, p_now timestamptz default now()
) returns void
language plpgsql as $$
declare
  v_url text;
begin
  update delivery.webhooks w set enabled = false, disabled_reason = p_reason, updated_at = p_now
  where w.workspace_id = p_workspace_id and w.webhook_id = p_webhook_id
  returning w.url into v_url;
  perform delivery.end_waiting_webhook_messages(p_workspace_id, p_webhook_id, p_now);
  insert into workspaces.events (workspace_id, id, ts, action, result, error, meta)
  values (p_workspace_id, molva.uuidv7(p_now), p_now, 'webhook_disabled', 'error',
    jsonb_build_object('code', 'webhook_' || p_reason, 'category', 'PERMANENT', 'message', workspaces.redact_text(p_error)),
    jsonb_build_object('webhook_id', p_webhook_id, 'host', substring(v_url from '^https?://([^/?#]+)')));
end
$$;
