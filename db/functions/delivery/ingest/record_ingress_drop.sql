-- Records a request that was refused before it became a post: too large, too fast, a repeat, or malformed. `p_payload_ref`
-- says where its body is stored, if it is. Senders are asked to repeat requests, so a repeat is not an error.
create or replace function delivery.record_ingress_drop(
  p_workspace_id uuid, p_endpoint_id uuid, p_run_id text, p_counter text, p_action text, p_meta jsonb,
  p_payload_ref text default null, p_now timestamptz default now()
) returns void
language sql as $$
  select delivery.add_to_push_run(p_workspace_id, p_endpoint_id, p_run_id, jsonb_build_object(
    'processed', 1, 'accepted', 0, 'dropped', 1, p_counter, 1, 'payload_ref', p_payload_ref), p_now);
  insert into workspaces.events (workspace_id, id, ts, action, result, payload_ref, meta)
  select p_workspace_id, molva.uuidv7(p_now), p_now, p_action,
         case p_action when 'ingress_dedup_dropped' then 'ok' else 'error' end, p_payload_ref,
         workspaces.redact(p_meta) || jsonb_build_object('endpoint_id', p_endpoint_id, 'run_id', p_run_id)
  where p_action is not null;
$$;
