-- Tells whoever shows the run to a person that there is something new.
create or replace function seo.tell_run() returns trigger
language plpgsql as $$
begin
  perform pg_notify('seo_runs', new.workspace_id || ' ' || new.id);
  return null;
end
$$;
