-- This file is not fetched in advance any more.
create or replace function delivery.media_give_up(p_workspace_id uuid, p_blob_ref text) returns void
language sql as $$
  update delivery.media_origin set fetch_after = 'infinity'
  where workspace_id = p_workspace_id and blob_ref = p_blob_ref and origin_url not like 'storage:%'
$$;
