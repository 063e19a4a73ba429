-- Changes the given settings of the account; null resets a setting to the workspace's.
create or replace function accounts.pace_adjust(
  p_workspace_id uuid, p_account_id uuid, p_changes jsonb, p_now timestamptz default now()
) returns jsonb
language sql as $$
  insert into accounts.pace (workspace_id, account_id, settings, updated_at)
  values (p_workspace_id, p_account_id, jsonb_strip_nulls(p_changes), p_now)
  on conflict (workspace_id, account_id) do update
    set settings = jsonb_strip_nulls(accounts.pace.settings || p_changes), updated_at = p_now
  returning settings
$$;
