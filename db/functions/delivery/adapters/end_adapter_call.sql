-- Stores the answer of a call for repeats.
create or replace function delivery.end_adapter_call(p_workspace_id uuid, p_call_key text, p_answer jsonb) returns void
language sql as $$
  update delivery.adapter_calls c set answer = p_answer
  where c.workspace_id = p_workspace_id and c.call_key = p_call_key
$$;
