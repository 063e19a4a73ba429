-- The channels that must not get a post again, and why: it is on its way there, or was sent within the channel's window and
-- not taken back. Uses deliveries_inflight and deliveries_sent.
create or replace function delivery.repeats_of(
  p_workspace_id uuid, p_hash_version int, p_content_hash text, p_tags text[], p_tagged_only boolean,
  p_now timestamptz default now()
) returns table (channel_id uuid, reason text, earlier uuid)
language sql stable as $$
  select c.channel_id, case when i.delivery_id is null then 'sent_recently' else 'inflight' end,
    coalesce(i.delivery_id, s.delivery_id)
  from delivery.recipients_of(p_workspace_id, p_tags, p_tagged_only) c
  left join lateral (
    select d.delivery_id from delivery.deliveries d
    where d.workspace_id = p_workspace_id and d.channel_id = c.channel_id
      and d.hash_version = p_hash_version and d.content_hash = p_content_hash
      and d.status in ('queued', 'claimed', 'sending', 'retry')
    order by d.created_at desc limit 1
  ) i on true
  left join lateral (
    select d.delivery_id from delivery.deliveries d
    where d.workspace_id = p_workspace_id and d.channel_id = c.channel_id
      and d.hash_version = p_hash_version and d.content_hash = p_content_hash
      and d.status = 'sent' and d.sent_at is not null and d.withdrawn_at is null
      and d.sent_at >= p_now - make_interval(hours => coalesce(c.dedup_ttl_hours, 168))
    order by d.sent_at desc limit 1
  ) s on i.delivery_id is null
  where coalesce(i.delivery_id, s.delivery_id) is not null
$$;
