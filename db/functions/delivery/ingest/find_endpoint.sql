create or replace function delivery.find_endpoint(p_kind text, p_secret_hash text)
returns delivery.workspace_endpoints
language sql stable as $$
  select e from delivery.workspace_endpoints e
  join workspaces.workspaces w using (workspace_id)
  where e.kind = p_kind and e.secret_hash = p_secret_hash and e.enabled and w.status <> 'disabled'
$$;
