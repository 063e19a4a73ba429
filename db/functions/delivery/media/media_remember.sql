-- Stores the provider's id of a file. `p_provider` names platform, account and kind of file: the id is valid only for these.
create or replace function delivery.media_remember(
  p_workspace_id uuid, p_blob_ref text, p_provider text, p_file_id text, p_expires_at timestamptz,
  p_now timestamptz default now()
) returns void
language sql as $$
  insert into delivery.media_blobs as b (workspace_id, blob_ref, provider, file_id, expires_at, created_at, updated_at)
  values (p_workspace_id, p_blob_ref, p_provider, p_file_id, p_expires_at, p_now, p_now)
  on conflict (workspace_id, blob_ref, provider) do update
    set file_id = excluded.file_id, url = null, expires_at = excluded.expires_at, updated_at = p_now
$$;
