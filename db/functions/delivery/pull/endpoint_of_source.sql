create or replace function delivery.endpoint_of_source(p_workspace_id uuid, p_source_id text) returns uuid
language sql stable as $$
  select endpoint_id from delivery.workspace_endpoints
  where workspace_id = p_workspace_id and source_id = p_source_id and enabled
$$;
