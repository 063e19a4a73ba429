create or replace function delivery.monitor_take_sends(
  p_workspace_id uuid default null, p_limit int default 50, p_now timestamptz default now()
) returns table (
  workspace_id uuid, workspace text, timezone text, alert_id uuid, alert_fingerprint text, findings jsonb,
  created_at timestamptz, target_id uuid, kind text, config jsonb, secret_ref text, language text)
language sql as $$
  select * from delivery.monitor_take_sends(p_workspace_id, null::text[], p_limit, p_now)
$$;

-- The same for a monitor that can send only to Telegram chats, and only with the tokens that it has (`p_secret_refs`). Null
-- means a monitor that can send to all targets.
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
