-- Channels with claimed deliveries whose slot has come. A loose index scan over deliveries_claimed.
create or replace function delivery.ready_channels(p_workspace_id uuid, p_now timestamptz default now()) returns uuid[]
language sql stable
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
as $$
  with recursive hop as (
    (select d.channel_id, d.not_before from delivery.deliveries d
     where d.workspace_id = p_workspace_id and d.status = 'claimed'
     order by d.channel_id, d.not_before, d.delivery_id limit 1)
    union all
    select n.channel_id, n.not_before
    from hop h
    cross join lateral (
      select d.channel_id, d.not_before from delivery.deliveries d
      where d.workspace_id = p_workspace_id and d.status = 'claimed' and d.channel_id > h.channel_id
      order by d.channel_id, d.not_before, d.delivery_id limit 1
    ) n
  )
  select coalesce(array_agg(channel_id), '{}') from hop where not_before <= p_now
$$;
