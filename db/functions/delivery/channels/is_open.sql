create or replace function delivery.is_open(p_window jsonb, p_timezone text, p_at timestamptz) returns boolean
language sql stable parallel safe as $$
  select delivery.window_step(p_window, p_at at time zone p_timezone) = p_at at time zone p_timezone
$$;
