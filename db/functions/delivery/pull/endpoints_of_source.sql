-- The endpoints through which posts of a source come: of a pull source by its name, or an endpoint by its id.
create or replace function delivery.endpoints_of_source(p_workspace_id uuid, p_source text) returns uuid[]
language sql stable as $$
  select coalesce(array_agg(e.endpoint_id), '{}') from delivery.workspace_endpoints e
  where e.workspace_id = p_workspace_id and (e.source_id = p_source or e.endpoint_id::text = lower(p_source))
$$;
