-- When the next source that lease_due_sources would return is due or its lease expires; null if there is none.
create or replace function delivery.next_pull_at(
  p_places int, p_busy uuid[] default '{}', p_in_hand text[] default '{}'
) returns timestamptz
language sql stable as $$
  select min(greatest(s.next_run_at, coalesce(s.leased_until, s.next_run_at)))
  from delivery.pull_sources s
  join workspaces.workspaces w using (workspace_id)
  where s.enabled and w.status = 'active' and coalesce(s.leased_by, '') <> all (p_in_hand)
    and delivery.pull_room(s.workspace_id, p_places, p_busy) > 0
$$;
