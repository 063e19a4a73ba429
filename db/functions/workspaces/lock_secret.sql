-- Reads an encrypted text and locks it until the end of the transaction: the next caller waits and reads the new one.
create or replace function workspaces.lock_secret(p_workspace_id uuid, p_secret_id uuid) returns text
language sql as $$
  select ciphertext from workspaces.secrets
  where workspace_id = p_workspace_id and secret_id = p_secret_id
  for update
$$;
