create or replace function delivery.workspace_counts(p_workspace_id uuid) returns jsonb
language sql stable as $$
  select jsonb_build_object('channels', count(*)) from delivery.channels c where c.workspace_id = p_workspace_id
$$;
