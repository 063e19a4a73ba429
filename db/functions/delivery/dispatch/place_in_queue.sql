-- Where a claimed delivery that is returned waits: at its place before it got its slot, ahead of what came later.
create or replace function delivery.place_in_queue(p_delivery delivery.deliveries) returns timestamptz
language sql immutable parallel safe as $$
  select coalesce(p_delivery.scheduled_for, p_delivery.created_at)
$$;
