-- Changes of status that are allowed; everything else is a bug of the caller.
create or replace function seo.refuse_run_transition() returns trigger
language plpgsql as $$
begin
  raise exception 'a run cannot go from % to %', old.status, new.status using errcode = 'check_violation';
end
$$;
