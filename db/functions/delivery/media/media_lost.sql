-- The object of an original is missing: it has to be fetched again.
create or replace function delivery.media_lost(p_workspace_id uuid, p_blob_ref text, p_origin_url text) returns void
language sql as $$
  update delivery.media_origin set fetched_at = null
  where workspace_id = p_workspace_id and blob_ref = p_blob_ref and origin_url = p_origin_url and source_url is not null
$$;
