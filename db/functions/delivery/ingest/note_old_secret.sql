-- Records that a sender still uses the secret before a rotation; to the minute, so that a busy one costs no write per request.
create or replace function delivery.note_old_secret(
  p_kind text, p_secret_hash text, p_endpoint_id uuid, p_now timestamptz default now()
) returns void
language sql as $$
  update delivery.workspace_endpoints e set last_used_at = p_now
  where e.kind = p_kind and (e.secret_hash = p_secret_hash or e.endpoint_id = p_endpoint_id) and e.enabled
    and e.replaced_by is not null and (e.last_used_at is null or e.last_used_at < p_now - interval '1 minute')
$$;
