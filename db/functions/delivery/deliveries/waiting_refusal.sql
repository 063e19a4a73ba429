-- Why a delivery does not count as waiting, or null.
create or replace function delivery.waiting_refusal(p_delivery delivery.deliveries) returns text
language sql stable as $$
  select case p_delivery.status
    when 'sending' then 'it is being sent'
    when 'sent' then 'it was sent already'
    when 'deduped' then 'it was never queued: the channel has the same post'
    when 'failed_permanent' then 'it has failed already'
    when 'dead' then 'its attempts are used up already'
  end
$$;
