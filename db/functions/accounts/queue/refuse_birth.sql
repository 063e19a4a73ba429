create or replace function accounts.refuse_birth() returns trigger
language plpgsql as $$
begin
  raise exception 'a task cannot begin as %', new.status using errcode = 'check_violation';
end
$$;
