create or replace function delivery.media_release(
  p_workspace_id uuid, p_blob_ref text, p_purpose text, p_holder uuid
) returns void
language sql as $$
  delete from delivery.media_claims
  where workspace_id = p_workspace_id and blob_ref = p_blob_ref and purpose = p_purpose and holder = p_holder
$$;
