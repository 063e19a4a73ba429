create or replace function accounts.window_open(
  p_timezone text, p_from time, p_to time, p_now timestamptz default now()
) returns boolean
language sql stable parallel safe as $$
  select (p_now at time zone p_timezone)::time >= p_from and (p_now at time zone p_timezone)::time < p_to
$$;
