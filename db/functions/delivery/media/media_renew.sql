create or replace function delivery.media_renew(
  p_workspace_id uuid, p_blob_ref text, p_purpose text, p_holder uuid, p_seconds int, p_now timestamptz default now()
) returns void
language sql as $$
  update delivery.media_claims set expires_at = p_now + make_interval(secs => p_seconds)
  where workspace_id = p_workspace_id and blob_ref = p_blob_ref and purpose = p_purpose and holder = p_holder
$$;
