create or replace function delivery.workspace_policy(p_workspace_id uuid)
returns table (
  max_attempts int, backoff_base_seconds double precision, backoff_max_seconds double precision,
  pause_on_permanent_seconds int, disable_after_permanent_streak int)
language sql stable as $$
  select p.* from workspaces.workspaces w, delivery.policy_of(w.settings) p where w.workspace_id = p_workspace_id
$$;
