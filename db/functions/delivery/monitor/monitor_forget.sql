-- Deletes what the monitor itself no longer needs.
create or replace function delivery.monitor_forget(p_now timestamptz default now()) returns void
language sql as $$
  delete from delivery.alerts a using workspaces.workspaces w
  where a.workspace_id = w.workspace_id and a.created_at < p_now - interval '30 days';
  delete from delivery.monitor_alert_receipts where last_sent_at < p_now - interval '30 days';
  delete from delivery.orphan_events where event_ts < p_now - interval '90 days';
  delete from delivery.event_minutes m using workspaces.workspaces w
  where m.workspace_id = w.workspace_id and m.minute < p_now - interval '2 days';
$$;
