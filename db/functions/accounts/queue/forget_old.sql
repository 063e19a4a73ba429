-- Deletes ended tasks and planned days after three months, and publications after thirteen, so that a year can be compared with
-- the one before.
create or replace function accounts.forget_old(p_now timestamptz default now()) returns void
language plpgsql as $$
begin
  delete from accounts.queue
  where status in ('completed', 'failed') and scheduled_time < p_now - interval '90 days'
    and updated_at < p_now - interval '90 days';
  delete from accounts.planned_days where day < (p_now - interval '90 days')::date;
  delete from accounts.sends where at < p_now - interval '1 hour';
  delete from accounts.history where published_at < p_now - interval '13 months';
end
$$;
