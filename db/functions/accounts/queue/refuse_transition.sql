create or replace function accounts.refuse_transition() returns trigger
language plpgsql as $$
begin
  raise exception 'a task cannot go from % to %', old.status, new.status
    using errcode = 'check_violation', detail = format('task %s', old.id);
end
$$;
