create or replace function audit.refuse_shrinking() returns trigger
language plpgsql as $$
begin
  if new.chain_id <> old.chain_id or new.last_seq < old.last_seq or new.purged_seq < old.purged_seq then
    raise exception 'a chain of the audit does not get shorter' using errcode = 'restrict_violation';
  end if;
  return new;
end
$$;
