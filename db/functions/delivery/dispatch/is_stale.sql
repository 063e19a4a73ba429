-- Whether a post is too old for its channel. Its age is counted from its scheduled time, otherwise from when it came in.
create or replace function delivery.is_stale(
  p_created_at timestamptz, p_scheduled_for timestamptz, p_max_age_seconds int, p_now timestamptz default now()
) returns boolean
language sql stable parallel safe as $$
  select p_max_age_seconds is not null
    and coalesce(p_scheduled_for, p_created_at) < p_now - make_interval(secs => p_max_age_seconds)
$$;
