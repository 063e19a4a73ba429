-- Takes a post of an operator, or of a token with the scope to write, as accept_push takes one of an endpoint. Who posted it stands in
-- the message's source and in the events of its enqueueing. Operators share a door of their own, under an id that no endpoint has: it
-- recognises repeats as an endpoint's receipts do.
create or replace function delivery.accept_message(
  p_workspace_id uuid, p_actor text, p_run_id text, p_post jsonb, p_compiled jsonb default '{}', p_now timestamptz default now()
) returns jsonb
language plpgsql as $$
declare
  v_door   delivery.workspace_endpoints;
  v_answer jsonb;
begin
  v_door.workspace_id := p_workspace_id;
  v_door.endpoint_id := '00000000-0000-0000-0000-000000000000';
  v_door.kind := 'webhook_push';
  v_door.hash_drop_window_sec := 10;
  v_answer := delivery.accept_at(
    v_door, null, 'operator', p_run_id,
    p_post || jsonb_build_object('source', coalesce(p_post -> 'source', '{}') || jsonb_build_object('operator', p_actor)),
    p_compiled, null, p_now);
  -- Uses events_by_message: the few events of this run.
  update workspaces.events e set meta = e.meta || jsonb_build_object('operator', p_actor)
  where e.workspace_id = p_workspace_id and e.message_id = (v_answer ->> 'message_id')::uuid and e.ts = p_now
    and e.meta ->> 'run_id' = v_answer ->> 'run_id';
  return v_answer;
end
$$;
