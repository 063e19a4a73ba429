create or replace function delivery.refuse_correction() returns trigger
language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    raise exception 'a correction cannot begin as %', new.status using errcode = 'check_violation';
  end if;
  raise exception 'a correction cannot go from % to %', old.status, new.status
    using errcode = 'check_violation', detail = format('correction %s', old.correction_id);
end
$$;
