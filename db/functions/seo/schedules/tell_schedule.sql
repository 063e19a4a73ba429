-- Wakes the driver's worker.
create or replace function seo.tell_schedule() returns trigger
language plpgsql as $$
begin
  perform pg_notify('seo_schedules', '');
  return null;
end
$$;
