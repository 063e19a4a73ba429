-- A workspace's setting, merged over its default.
create or replace function accounts.setting(p_workspace_id uuid, p_key text, p_default jsonb) returns jsonb
language sql stable parallel safe as $$
  select p_default || coalesce((select value from accounts.settings where workspace_id = p_workspace_id and key = p_key), '{}')
$$;
