-- For people: since when the run of a token is known to be dead, and when others take over its deliveries; no row for a run
-- that is alive or never joined.
create or replace function delivery.run_gone(p_token text, p_now timestamptz default now())
returns table (since timestamptz, taken_over_at timestamptz)
language sql stable as $$
  select coalesce(r.missing_since, p_now), coalesce(r.missing_since, p_now) + delivery.run_grace()
  from delivery.dispatcher_runs r
  where r.run_id = split_part(p_token, ':', 1) and r.run_id = any (delivery.missing_runs())
$$;
