create or replace function delivery.requeue_refusal(p_delivery delivery.deliveries) returns text
language sql stable as $$
  select case
    when p_delivery.status = 'dead' then null
    when p_delivery.status = 'failed_permanent' then
      case coalesce(p_delivery.last_error ->> 'scope', 'delivery')
        when 'delivery' then null
        -- A product's posts are not recovered in bulk: each is sent again on its own, once its connection works.
        when 'channel' then case
          when not delivery.is_promised(p_delivery) then 'its channel refused it: mend the channel, then recover what failed'
          when exists (
            select from delivery.channels c
            where c.workspace_id = p_delivery.workspace_id and c.channel_id = p_delivery.channel_id and c.connection_state = 'error')
            then 'its connection has failed: its owner renews it, or a successful test of the channel does'
        end
        else case when not delivery.is_promised(p_delivery) then 'the platform refused it: mend that, then recover what failed' end
      end
    when p_delivery.status = 'sent' then 'it was sent already'
    when p_delivery.status = 'deduped' then 'it was never queued: the channel has the same post'
    else 'it is on its way'
  end
$$;
