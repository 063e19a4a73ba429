-- Expired payloads, in the order of payloads_expiry.
create or replace function delivery.payload_due(
  p_after_expiry timestamptz, p_after_ref uuid, p_limit int, p_now timestamptz default now()
) returns table (workspace_id uuid, payload_ref uuid, storage_key text, expires_at timestamptz)
language sql stable as $$
  select p.workspace_id, p.payload_ref, p.storage_key, p.expires_at
  from delivery.payloads p
  where p.expires_at <= p_now
    and (p_after_ref is null or (p.expires_at, p.payload_ref) > (p_after_expiry, p_after_ref))
  order by p.expires_at, p.payload_ref
  limit p_limit
$$;
