create or replace function advisor.next_month(p_now timestamptz) returns timestamptz
language sql immutable as $$
  select (date_trunc('month', p_now at time zone 'UTC') + interval '1 month') at time zone 'UTC'
$$;
