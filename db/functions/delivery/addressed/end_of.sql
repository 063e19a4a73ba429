-- How a delivery ended, in the word that its product is told.
create or replace function delivery.end_of(p_delivery delivery.deliveries) returns text
language sql immutable parallel safe as $$
  select case p_delivery.status
    when 'failed_permanent' then case p_delivery.last_error ->> 'code'
      when 'cancelled' then 'cancelled'
      when 'stale_dropped' then 'stale_dropped'
      when 'validation_failed' then 'refused'
      when 'connection_error' then 'refused'
      else 'failed' end
    else p_delivery.status
  end
$$;
