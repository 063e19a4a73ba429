-- Records a payload before it is stored: an object without a row would never be deleted, a row without an object is.
create or replace function delivery.payload_note(
  p_workspace_id uuid, p_kind text, p_size_bytes bigint, p_sha256 text, p_now timestamptz default now()
) returns table (payload_ref uuid, storage_key text)
language sql as $$
  insert into delivery.payloads (workspace_id, payload_ref, storage_key, kind, size_bytes, sha256, created_at, expires_at)
  select p_workspace_id, made.ref,
    format('payloads/%s/%s/%s', p_workspace_id, to_char(p_now at time zone 'UTC', 'YYYY-MM-DD'), made.ref),
    p_kind, p_size_bytes, p_sha256, p_now, p_now + make_interval(days => r.payloads_days)
  from workspaces.workspaces w, delivery.retention_of(w.settings) r, molva.uuidv7(p_now) as made (ref)
  where w.workspace_id = p_workspace_id
  returning payload_ref, storage_key
$$;
