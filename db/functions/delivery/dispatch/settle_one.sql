create or replace function delivery.settle_one(
  p_workspace_id uuid, p_delivery_id uuid, p_outcome jsonb, p_now timestamptz default now()
) returns void
language plpgsql as $$
declare
  v_applied boolean;
begin
  if p_outcome ->> 'token' is null then
    raise exception 'delivery %: no claim token was given, or it is not being sent', p_delivery_id
      using errcode = 'object_not_in_prerequisite_state';
  end if;
  select s.applied into v_applied
  from delivery.settle_deliveries(p_workspace_id, jsonb_build_array(p_outcome), p_now) s;
  if not v_applied then
    raise exception 'delivery % is not being sent under this claim token', p_delivery_id
      using errcode = 'object_not_in_prerequisite_state';
  end if;
end
$$;
