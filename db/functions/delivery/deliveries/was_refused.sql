-- Whether a channel or the platform refused it, so that it did not arrive and can be sent when the cause is removed.
create or replace function delivery.was_refused(p_delivery delivery.deliveries) returns boolean
language sql stable as $$
  select p_delivery.status = 'failed_permanent' and p_delivery.last_error ->> 'scope' in ('channel', 'platform')
$$;
