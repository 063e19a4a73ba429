create or replace function delivery.refuse_transition() returns trigger
language plpgsql as $$
begin
  raise exception 'a delivery cannot go from % to %', old.status, new.status
    using errcode = 'check_violation', detail = format('delivery %s', old.delivery_id);
end
$$;
