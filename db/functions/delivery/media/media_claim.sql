-- True if this holder now has the claim: it was free, or its last holder has not renewed it.
create or replace function delivery.media_claim(
  p_workspace_id uuid, p_blob_ref text, p_purpose text, p_holder uuid, p_seconds int, p_now timestamptz default now()
) returns boolean
language sql as $$
  with taken as (
    insert into delivery.media_claims as c (workspace_id, blob_ref, purpose, holder, expires_at)
    values (p_workspace_id, p_blob_ref, p_purpose, p_holder, p_now + make_interval(secs => p_seconds))
    on conflict (workspace_id, blob_ref, purpose) do update
      set holder = excluded.holder, expires_at = excluded.expires_at
      where c.expires_at <= p_now
    returning 1
  )
  select exists (select from taken)
$$;
