create or replace function delivery.health_scope(p_workspace_id uuid) returns table (workspace_id uuid, status text)
language sql stable as $$
  select w.workspace_id, w.status from workspaces.workspaces w
  where p_workspace_id is null or w.workspace_id = p_workspace_id
$$;
