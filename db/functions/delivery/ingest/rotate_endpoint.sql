-- Gives an endpoint another secret: a new row is enabled, the old one is disabled and stays as history, both or neither.
-- Returns the new row; null if there is no enabled endpoint of that id with a secret.
create or replace function delivery.rotate_endpoint(
  p_workspace_id uuid, p_endpoint_id uuid, p_secret_hash text, p_operator text, p_reason text,
  p_now timestamptz default now()
) returns delivery.workspace_endpoints
language plpgsql as $$
declare
  v_new delivery.workspace_endpoints;
begin
  update delivery.workspace_endpoints set enabled = false, updated_at = p_now
  where workspace_id = p_workspace_id and endpoint_id = p_endpoint_id and enabled and kind <> 'pull_source';
  if not found then
    return null;
  end if;
  insert into delivery.workspace_endpoints (
    workspace_id, endpoint_id, kind, secret_hash, ingress_rps, max_payload_bytes, hash_drop_window_sec, meta,
    created_at, updated_at)
  select workspace_id, molva.uuidv7(p_now), kind, p_secret_hash, ingress_rps, max_payload_bytes, hash_drop_window_sec, meta,
    p_now, p_now
  from delivery.workspace_endpoints
  where workspace_id = p_workspace_id and endpoint_id = p_endpoint_id
  returning * into v_new;
  perform workspaces.note_change(p_workspace_id, null, 'endpoint_rotated', p_operator, p_reason,
    jsonb_build_object('old_endpoint_id', p_endpoint_id, 'new_endpoint_id', v_new.endpoint_id), p_now);
  -- Bots that have told a provider the old secret are notified at the commit.
  perform pg_notify('molva_endpoints', p_workspace_id::text);
  return v_new;
end
$$;
