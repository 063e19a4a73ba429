create or replace function delivery.refuse_birth() returns trigger
language plpgsql as $$
begin
  raise exception 'a delivery cannot begin as %', new.status using errcode = 'check_violation';
end
$$;
