-- Turns a workspace's findings into an alert with a letter for each of its targets. Any number of monitors may call it: the
-- calls are processed one after the other. `verdict` is the result: raised, no_alerts, cooldown_active (the same reasons were
-- reported a short while ago), delivery_pending (they are being sent and no target has them yet).
create or replace function delivery.monitor_raise_alert(
  p_workspace_id uuid, p_thresholds jsonb default '{}', p_now timestamptz default now(),
  out verdict text, out alert_id uuid, out alert_fingerprint text, out targets int
)
language plpgsql as $$
#variable_conflict use_column
declare
  v_reasons  text[];
  v_findings jsonb;
  v_cooldown interval;
  v_mark     timestamptz;
begin
  targets := 0;
  -- The lock is a separate statement: what follows must see what the previous monitor wrote.
  insert into delivery.monitor_state (workspace_id) values (p_workspace_id) on conflict (workspace_id) do nothing;
  perform from delivery.monitor_state where workspace_id = p_workspace_id for update;

  select array_agg(f.reason order by f.reason), jsonb_agg(to_jsonb(f) - 'workspace_id' order by f.reason)
  into v_reasons, v_findings
  from delivery.monitor_findings(p_workspace_id, p_thresholds, p_now) f;
  if v_reasons is null then
    verdict := 'no_alerts';
    return;
  end if;
  alert_fingerprint := p_workspace_id || ':' || array_to_string(v_reasons, '+');

  if exists (
    select from delivery.alert_sends s
    join delivery.alerts a using (workspace_id, alert_id)
    where s.workspace_id = p_workspace_id and s.status = 'pending'
      and a.alert_fingerprint = monitor_raise_alert.alert_fingerprint
      and not exists (
        select from delivery.alert_sends o
        where o.workspace_id = s.workspace_id and o.alert_id = s.alert_id and o.status = 'sent')
  ) then
    verdict := 'delivery_pending';
    return;
  end if;

  select make_interval(secs => t.alert_cooldown_seconds) into v_cooldown
  from delivery.monitor_thresholds(p_workspace_id, p_thresholds) t;
  if exists (
    select from delivery.monitor_alert_receipts r
    where r.workspace_key = p_workspace_id::text and r.alert_fingerprint = monitor_raise_alert.alert_fingerprint
      and r.last_sent_at > p_now - v_cooldown
  ) then
    verdict := 'cooldown_active';
    return;
  end if;

  verdict := 'raised';
  alert_id := molva.uuidv7(p_now);
  insert into delivery.alerts (workspace_id, alert_id, alert_fingerprint, reasons, findings, created_at)
  values (p_workspace_id, monitor_raise_alert.alert_id, monitor_raise_alert.alert_fingerprint, v_reasons, v_findings, p_now);
  insert into delivery.alert_sends (workspace_id, alert_id, target_id)
  select p_workspace_id, monitor_raise_alert.alert_id, t.target_id
  from delivery.alert_targets t where t.workspace_id = p_workspace_id and t.enabled;
  get diagnostics targets = row_count;
  -- Without targets the alert is only stored, so that it is not raised again every minute.
  if targets = 0 then
    perform delivery.monitor_receipt(p_workspace_id, monitor_raise_alert.alert_fingerprint, p_now);
  end if;

  select greatest(s.reported_until, p_now - interval '10 seconds') into v_mark
  from delivery.monitor_state s where s.workspace_id = p_workspace_id;
  update delivery.monitor_state s
  set reported_until = v_mark,
      reported_after = (
        select coalesce(jsonb_object_agg(c.reason, c.count), '{}')
        from delivery.monitor_counts(p_workspace_id, v_mark) c)
  where s.workspace_id = p_workspace_id;
end
$$;
