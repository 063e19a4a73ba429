-- How often the posts of this module use a blob. Uses messages_blobs.
create or replace function delivery.media_refs(p_workspace_id uuid, p_blob_ref text) returns bigint
language sql stable as $$
  select count(*)
  from delivery.messages m
  where m.workspace_id = p_workspace_id and m.payload ? 'media'
    and jsonb_path_query_array(m.payload, '$.media[*].blob_ref') @> jsonb_build_array(p_blob_ref)
$$;
