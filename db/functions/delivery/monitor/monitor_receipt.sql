-- Records that an alert was sent, which starts its cooldown.
create or replace function delivery.monitor_receipt(
  p_workspace_id uuid, p_alert_fingerprint text, p_now timestamptz default now()
) returns void
language sql as $$
  insert into delivery.monitor_alert_receipts as r (workspace_key, alert_fingerprint, first_sent_at, last_sent_at)
  values (p_workspace_id::text, p_alert_fingerprint, p_now, p_now)
  on conflict (workspace_key, alert_fingerprint) do update
    set last_sent_at = greatest(r.last_sent_at, excluded.last_sent_at), sent_count = r.sent_count + 1
$$;
