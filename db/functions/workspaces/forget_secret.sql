create or replace function workspaces.forget_secret(p_workspace_id uuid, p_secret_ref text) returns void
language sql as $$
  delete from workspaces.secrets
  where workspace_id = p_workspace_id and 'vault:' || secret_id = p_secret_ref
$$;
