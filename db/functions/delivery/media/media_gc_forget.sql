-- After the object was deleted: deletes its row, and the providers' ids of it.
create or replace function delivery.media_gc_forget(p_workspace_id uuid, p_blob_ref text) returns void
language sql as $$
  delete from delivery.media_blobs where workspace_id = p_workspace_id and blob_ref = p_blob_ref;
  delete from delivery.media_claims where workspace_id = p_workspace_id and blob_ref = p_blob_ref;
  delete from delivery.media_origin where workspace_id = p_workspace_id and blob_ref = p_blob_ref;
$$;
