-- What was cancelled or has expired stays so: its tokens went back.
create or replace function seo.refuse_preview_transition() returns trigger
language plpgsql as $$
begin
  raise exception 'a preview that is % cannot become %', old.status, new.status using errcode = 'check_violation';
end
$$;
