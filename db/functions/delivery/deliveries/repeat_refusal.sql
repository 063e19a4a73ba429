-- Whether the channel has the post, or will get it, by another delivery; an addressed one is never a repeat of another. Uses
-- deliveries_inflight and deliveries_sent.
create or replace function delivery.repeat_refusal(p_delivery delivery.deliveries, p_now timestamptz default now()) returns text
language sql stable as $$
  select case when not p_delivery.addressed then coalesce(
    (select 'the same post is on its way to this channel: ' || d.delivery_id
     from delivery.deliveries d
     where d.workspace_id = p_delivery.workspace_id and d.channel_id = p_delivery.channel_id
       and d.hash_version = p_delivery.hash_version and d.content_hash = p_delivery.content_hash
       and d.status in ('queued', 'claimed', 'sending', 'retry') and d.delivery_id <> p_delivery.delivery_id
     order by d.created_at desc limit 1),
    (select 'the channel got the same post since: ' || d.delivery_id
     from delivery.deliveries d
     join delivery.channels c using (workspace_id, channel_id)
     where d.workspace_id = p_delivery.workspace_id and d.channel_id = p_delivery.channel_id
       and d.hash_version = p_delivery.hash_version and d.content_hash = p_delivery.content_hash
       and d.status = 'sent' and d.sent_at is not null and d.withdrawn_at is null
       and d.sent_at >= p_now - make_interval(hours => coalesce(c.dedup_ttl_hours, 168))
     order by d.sent_at desc limit 1)) end
$$;
