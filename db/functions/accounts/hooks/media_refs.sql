-- How many objects have a blob among their photos; called when delivery deletes unused media. Uses objects_photos.
create or replace function accounts.media_refs(p_workspace_id uuid, p_blob_ref text) returns bigint
language sql stable as $$
  select count(*)
  from accounts.objects o
  where o.workspace_id = p_workspace_id
    and o.photos @> jsonb_build_array(jsonb_build_object('blob_ref', p_blob_ref))
$$;
