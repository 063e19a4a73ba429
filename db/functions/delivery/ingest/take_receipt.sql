-- Records this request. False if it came before: with the same source_ref at any time (while the receipt is kept), or,
-- without one, with the same content within the endpoint's window.
create or replace function delivery.take_receipt(
  p_endpoint delivery.workspace_endpoints, p_source_ref text, p_payload_hash text, p_now timestamptz default now()
) returns boolean
language plpgsql as $$
declare
  -- A rotation gives an endpoint another id; what came before it is still a repeat.
  v_address constant uuid := coalesce(p_endpoint.first_id, p_endpoint.endpoint_id);
begin
  if p_source_ref is null then
    -- Concurrent equal requests are processed one after the other.
    perform pg_advisory_xact_lock(hashtextextended(v_address::text || p_payload_hash, 0));
    if exists (
      select from delivery.ingress_receipts
      where workspace_id = p_endpoint.workspace_id and endpoint_id = v_address
        and payload_hash = p_payload_hash
        and received_at > p_now - make_interval(secs => p_endpoint.hash_drop_window_sec)
    ) then
      return false;
    end if;
  end if;
  insert into delivery.ingress_receipts (
    workspace_id, endpoint_id, endpoint_kind, source_ref, payload_hash, received_at, expires_at)
  values (
    p_endpoint.workspace_id, v_address, p_endpoint.kind, p_source_ref, p_payload_hash, p_now,
    p_now + interval '3 days')
  on conflict (workspace_id, endpoint_id, source_ref) where source_ref is not null do nothing;
  return found;
end
$$;
