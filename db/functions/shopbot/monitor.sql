-- Checks every bot and records an event for each problem. The monitor of deliveries alerts people. An event is not repeated
-- within its window.
create or replace function shopbot.monitor(p_minutes int default null, p_now timestamptz default now())
returns table (workspace_id uuid, action text)
language sql as $$
  insert into workspaces.events (workspace_id, id, ts, action, result, error, meta)
  select b.workspace_id, molva.uuidv7(p_now), p_now, f.action, 'error',
    jsonb_build_object('code', f.action, 'message', f.message), f.figures
  from shopbot.bots b
  cross join lateral shopbot.monitor_alerts(b.workspace_id, p_minutes, p_now) f
  where not exists (
    select from workspaces.events e
    where e.workspace_id = b.workspace_id and e.action = f.action
      and e.ts > p_now - make_interval(mins => coalesce(p_minutes, b.monitor_minutes)))
  returning workspace_id, action
$$;
