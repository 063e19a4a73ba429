-- The object is stored, or an address was checked again and still has the same file.
create or replace function delivery.media_stored(p_workspace_id uuid, p_blob_ref text, p_now timestamptz default now())
returns void
language sql as $$
  update delivery.media_origin set fetched_at = p_now, last_seen_at = greatest(last_seen_at, p_now)
  where workspace_id = p_workspace_id and blob_ref = p_blob_ref
$$;
