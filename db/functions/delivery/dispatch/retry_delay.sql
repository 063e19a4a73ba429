-- How long to wait before the next attempt: the base is doubled each time up to the maximum, with a fifth of jitter. A wait
-- that the provider asked for is never shortened: jitter only adds to it. A MAX upload in progress gets a short wait. After
-- an unknown outcome the wait is three times as long, because a request that timed out may still arrive.
create or replace function delivery.retry_delay(
  p_attempt int, p_error jsonb, p_random double precision, p_base double precision, p_longest double precision
) returns interval
language sql immutable parallel safe as $$
  select make_interval(secs => case
    when p_error ->> 'retry_after_ms' is not null
      then (p_error ->> 'retry_after_ms')::double precision / 1000 * (1 + 0.1 * p_random)
    when p_error ->> 'code' = 'attachment_not_ready' and p_attempt <= 3
      then least(5, power(2, p_attempt - 1)) * (1 + 0.2 * p_random)
    else least(p_longest, p_base * power(2, greatest(p_attempt, 1) - 1)
                          * case p_error ->> 'code' when 'outcome_unknown' then 3 else 1 end) * (0.8 + 0.4 * p_random)
  end)
$$;
