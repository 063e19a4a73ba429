-- Stores an encrypted text, which was encrypted for this id, and returns its reference.
create or replace function workspaces.keep_secret(
  p_workspace_id uuid, p_secret_id uuid, p_ciphertext text, p_now timestamptz default now()
) returns text
language sql as $$
  insert into workspaces.secrets (workspace_id, secret_id, ciphertext, created_at, updated_at)
  values (p_workspace_id, p_secret_id, p_ciphertext, p_now, p_now)
  returning 'vault:' || secret_id
$$;
