-- The time before which something may be deleted.
create or replace function delivery.retention_cutoff(p_workspace_id uuid, p_now timestamptz default now())
returns table (events timestamptz, deliveries timestamptz)
language sql stable as $$
  select p_now - make_interval(days => r.events_days), p_now - make_interval(days => r.deliveries_days)
  from workspaces.workspaces w, delivery.retention_of(w.settings) r
  where w.workspace_id = p_workspace_id
$$;
