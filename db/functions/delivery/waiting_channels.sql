-- The channels of a workspace that have something due, found by hopping from channel to channel through an index: the
-- cost grows with the channels that wait, not with the deliveries and not with history. The order names all columns of
-- the index, so that no other one looks as good.

-- Something to claim. Hops through deliveries_waiting.
create or replace function delivery.waiting_channels(p_workspace_id uuid, p_now timestamptz default now()) returns uuid[]
language sql stable as $$
  with recursive hop as (
    (select d.channel_id, d.due_at from delivery.deliveries d
     where d.workspace_id = p_workspace_id and d.status in ('queued', 'retry') and d.held_at is null
     order by d.channel_id, d.due_at, d.delivery_id limit 1)
    union all
    select n.channel_id, n.due_at
    from hop h
    cross join lateral (
      select d.channel_id, d.due_at from delivery.deliveries d
      where d.workspace_id = p_workspace_id and d.status in ('queued', 'retry') and d.held_at is null
        and d.channel_id > h.channel_id
      order by d.channel_id, d.due_at, d.delivery_id limit 1
    ) n
  )
  select coalesce(array_agg(channel_id), '{}') from hop where due_at <= p_now
$$;

-- Something claimed whose slot has come. Hops through deliveries_claimed.
create or replace function delivery.ready_channels(p_workspace_id uuid, p_now timestamptz default now()) returns uuid[]
language sql stable as $$
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
