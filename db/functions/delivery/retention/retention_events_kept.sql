create or replace function delivery.retention_events_kept(p_now timestamptz default now()) returns timestamptz
language sql stable as $$
  select p_now - make_interval(days => coalesce(max(r.events_days), (select events_days from delivery.retention_of('{}'))))
  from workspaces.workspaces w, delivery.retention_of(w.settings) r
$$;
