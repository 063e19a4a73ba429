-- Replaces an encrypted text; references to it stay valid.
create or replace function workspaces.replace_secret(
  p_workspace_id uuid, p_secret_id uuid, p_ciphertext text, p_now timestamptz default now()
) returns void
language sql as $$
  update workspaces.secrets set ciphertext = p_ciphertext, updated_at = p_now
  where workspace_id = p_workspace_id and secret_id = p_secret_id
$$;
