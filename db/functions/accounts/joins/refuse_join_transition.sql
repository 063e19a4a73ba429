create or replace function accounts.refuse_join_transition() returns trigger
language plpgsql as $$
begin
  raise exception 'a join task cannot go from % to %', old.status, new.status
    using errcode = 'check_violation', detail = format('task %s', old.id);
end
$$;
