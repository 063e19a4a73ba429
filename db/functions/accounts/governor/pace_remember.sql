create or replace function accounts.pace_remember(
  p_workspace_id uuid, p_account_id uuid, p_memory jsonb, p_now timestamptz default now()
) returns void
language sql as $$
  update accounts.pace set memory = p_memory, updated_at = p_now
  where workspace_id = p_workspace_id and account_id = p_account_id
$$;
