create or replace function delivery.requeue_refusal(p_delivery delivery.deliveries) returns text
language sql stable as $$
  select case
    when p_delivery.status = 'dead' then null
    when p_delivery.status = 'failed_permanent' then
      case coalesce(p_delivery.last_error ->> 'scope', 'delivery')
        when 'delivery' then null
        when 'channel' then 'its channel refused it: mend the channel, then recover what failed'
        else 'the platform refused it: mend that, then recover what failed'
      end
    when p_delivery.status = 'sent' then 'it was sent already'
    when p_delivery.status = 'deduped' then 'it was never queued: the channel has the same post'
    else 'it is on its way'
  end
$$;
