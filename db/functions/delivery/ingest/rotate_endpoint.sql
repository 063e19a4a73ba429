-- Gives an endpoint other secrets: a new row is enabled, the old one stays as history, both or neither. The old secrets open the
-- new row until the overlap ends; without one, the old row is disabled at once. Earlier secrets of the same address end with it at the
-- latest. Returns the new row; null if there is no enabled endpoint of that id with a secret, or it was replaced already.
create or replace function delivery.rotate_endpoint(
  p_workspace_id uuid, p_endpoint_id uuid, p_secret_hash text, p_signing_ref text, p_overlap interval,
  p_operator text, p_reason text, p_now timestamptz default now()
) returns delivery.workspace_endpoints
language plpgsql as $$
declare
  v_new_id constant uuid := molva.uuidv7(p_now);
  v_new    delivery.workspace_endpoints;
begin
  update delivery.workspace_endpoints
  set replaced_by = v_new_id, ends_at = p_now + p_overlap, enabled = p_overlap > interval '0', last_used_at = null,
      updated_at = p_now
  where workspace_id = p_workspace_id and endpoint_id = p_endpoint_id and enabled and replaced_by is null
    and kind <> 'pull_source';
  if not found then
    return null;
  end if;
  -- Which secret has leaked is not always known, so the last overlap binds them all.
  update delivery.workspace_endpoints older
  set ends_at = least(older.ends_at, p_now + p_overlap), enabled = p_overlap > interval '0', updated_at = p_now
  from delivery.workspace_endpoints replaced
  where replaced.workspace_id = p_workspace_id and replaced.endpoint_id = p_endpoint_id
    and older.workspace_id = p_workspace_id and older.endpoint_id <> p_endpoint_id
    and older.enabled and older.replaced_by is not null and older.ends_at > p_now + p_overlap
    and coalesce(older.first_id, older.endpoint_id) = coalesce(replaced.first_id, replaced.endpoint_id);
  insert into delivery.workspace_endpoints (
    workspace_id, endpoint_id, first_id, kind, secret_hash, mode, signing_ref, ingress_rps, max_payload_bytes,
    hash_drop_window_sec, meta, networks, created_at, updated_at)
  select workspace_id, v_new_id, coalesce(first_id, endpoint_id), kind, p_secret_hash, mode, p_signing_ref, ingress_rps,
    max_payload_bytes, hash_drop_window_sec, meta, networks, p_now, p_now
  from delivery.workspace_endpoints
  where workspace_id = p_workspace_id and endpoint_id = p_endpoint_id
  returning * into v_new;
  perform workspaces.note_change(p_workspace_id, null, 'endpoint_rotated', p_operator, p_reason,
    jsonb_build_object('old_endpoint_id', p_endpoint_id, 'new_endpoint_id', v_new.endpoint_id,
      'old_works_until', case when p_overlap > interval '0' then p_now + p_overlap end), p_now);
  perform delivery.end_overlaps(p_workspace_id, p_now);
  -- Bots that have told a provider the old secret are notified at the commit.
  perform pg_notify('molva_endpoints', p_workspace_id::text);
  return v_new;
end
$$;
