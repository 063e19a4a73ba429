-- What is still to be done to a post after it was sent, and the newest correction if it failed; null if there is nothing to tell.
-- An older failure is not told: a newer correction took its place.
create or replace function delivery.correction_facts(
  p_delivery delivery.deliveries, p_now timestamptz default now(), p_sending_lease interval default interval '300 seconds'
) returns jsonb
language sql stable as $$
  select jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
    'id', x.correction_id, 'kind', x.kind, 'status', x.status, 'reason', w.reason, 'since', w.since, 'expected_at', w.expected_at,
    'details', w.details)) order by x.number)
  from (
    select c, max(c.number) over () as newest from delivery.corrections c
    where c.workspace_id = p_delivery.workspace_id and c.delivery_id = p_delivery.delivery_id
  ) n
  cross join lateral (select (n.c).*) x
  cross join lateral delivery.why_correction(n.c, p_now, p_sending_lease) w
  where x.ended_at is null or x.number = n.newest and x.status in ('failed_permanent', 'dead')
$$;
