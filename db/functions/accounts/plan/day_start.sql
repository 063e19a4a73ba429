create or replace function accounts.day_start(p_timezone text, p_now timestamptz default now()) returns timestamptz
language sql stable parallel safe as $$
  select date_trunc('day', p_now at time zone p_timezone) at time zone p_timezone
$$;
