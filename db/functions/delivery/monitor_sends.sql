-- Letters of alerts on their way. A monitor takes them, delivers them, and says how it ended; one that dies on the way
-- loses its letters to the next after two minutes.

create or replace function delivery.monitor_take_sends(
  p_workspace_id uuid default null, p_limit int default 50, p_now timestamptz default now()
) returns table (
  workspace_id uuid, workspace text, timezone text, alert_id uuid, alert_fingerprint text, findings jsonb,
  created_at timestamptz, target_id uuid, kind text, config jsonb, secret_ref text, language text)
language sql as $$
  select * from delivery.monitor_take_sends(p_workspace_id, null::text[], p_limit, p_now)
$$;

-- The same for a monitor that can tell only chats in Telegram, and only with the tokens it holds (`p_secret_refs`). Null
-- is one that can tell everybody.
create or replace function delivery.monitor_take_sends(
  p_workspace_id uuid, p_secret_refs text[], p_limit int, p_now timestamptz default now()
) returns table (
  workspace_id uuid, workspace text, timezone text, alert_id uuid, alert_fingerprint text, findings jsonb,
  created_at timestamptz, target_id uuid, kind text, config jsonb, secret_ref text, language text)
language sql as $$
  with free as (
    select s.workspace_id, s.alert_id, s.target_id from delivery.alert_sends s
    join delivery.alert_targets g using (workspace_id, target_id)
    where s.status = 'pending' and (p_workspace_id is null or s.workspace_id = p_workspace_id)
      and (p_secret_refs is null or g.kind = 'telegram' and g.secret_ref = any (p_secret_refs))
      and coalesce(s.taken_until, '-infinity') <= p_now
    order by s.workspace_id, s.alert_id
    limit p_limit
    for update of s skip locked
  ),
  taken as (
    update delivery.alert_sends s
    set taken_until = p_now + interval '2 minutes', attempts = s.attempts + 1
    from free f
    where s.workspace_id = f.workspace_id and s.alert_id = f.alert_id and s.target_id = f.target_id
    returning s.workspace_id, s.alert_id, s.target_id
  )
  select t.workspace_id, w.name, w.timezone, t.alert_id, a.alert_fingerprint, a.findings, a.created_at,
    t.target_id, g.kind, g.config, g.secret_ref, g.language
  from taken t
  join workspaces.workspaces w using (workspace_id)
  join delivery.alerts a using (workspace_id, alert_id)
  join delivery.alert_targets g using (workspace_id, target_id)
$$;

-- `p_error` is null when the target has it. A failed letter is tried again with every run for an hour.
create or replace function delivery.monitor_end_send(
  p_workspace_id uuid, p_alert_id uuid, p_target_id uuid, p_error text default null, p_now timestamptz default now()
) returns void
language plpgsql as $$
declare
  v_fingerprint text;
  v_created_at  timestamptz;
begin
  select a.alert_fingerprint, a.created_at into v_fingerprint, v_created_at
  from delivery.alerts a where a.workspace_id = p_workspace_id and a.alert_id = p_alert_id
  for update;
  update delivery.alert_sends
  set status = case when p_error is null then 'sent'
                    when v_created_at <= p_now - interval '1 hour' then 'given_up'
                    else 'pending' end,
      taken_until = null, last_error = p_error,
      ended_at = case when p_error is null or v_created_at <= p_now - interval '1 hour' then p_now end
  where workspace_id = p_workspace_id and alert_id = p_alert_id and target_id = p_target_id;
  update delivery.alert_targets
  set sent_count = sent_count + (p_error is null)::int,
      failed_count = failed_count + (p_error is not null)::int,
      last_error = p_error, updated_at = p_now
  where workspace_id = p_workspace_id and target_id = p_target_id;
  -- The first target that has it begins the cooldown; the others belong to the same alert.
  if p_error is null and not exists (
    select from delivery.alert_sends
    where workspace_id = p_workspace_id and alert_id = p_alert_id and target_id <> p_target_id and status = 'sent'
  ) then
    perform delivery.monitor_receipt(p_workspace_id, v_fingerprint, p_now);
  end if;
end
$$;

-- What the monitor itself no longer needs.
create or replace function delivery.monitor_forget(p_now timestamptz default now()) returns void
language sql as $$
  delete from delivery.alerts a using workspaces.workspaces w
  where a.workspace_id = w.workspace_id and a.created_at < p_now - interval '30 days';
  delete from delivery.monitor_alert_receipts where last_sent_at < p_now - interval '30 days';
  delete from delivery.orphan_events where event_ts < p_now - interval '90 days';
  delete from delivery.event_minutes m using workspaces.workspaces w
  where m.workspace_id = w.workspace_id and m.minute < p_now - interval '2 days';
$$;
