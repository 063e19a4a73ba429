-- Takes a post as its sender gave it and creates a delivery for every channel that it reaches. Complete and safe for any
-- caller: errors in the post are raised before anything is written. `p_compiled` is explained in enqueue_post.
create or replace function delivery.enqueue_messages_and_deliveries(
  p_workspace_id uuid,
  p_endpoint_id  uuid,
  p_kind         text,
  p_raw          jsonb,
  p_now          timestamptz default now(),
  p_compiled     jsonb default '{}',
  p_run_id       text default null
) returns jsonb
language plpgsql as $$
declare
  v_fault text := delivery.post_fault(p_raw);
begin
  if v_fault is not null then
    raise exception '%', v_fault using errcode = 'invalid_parameter_value';
  end if;
  return delivery.enqueue_post(
    p_workspace_id, p_endpoint_id, p_kind, delivery.normal_post(p_raw), p_compiled, p_run_id, null, p_now);
end
$$;
