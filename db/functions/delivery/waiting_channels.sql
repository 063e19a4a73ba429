-- The channels of a workspace that have something due, found by hopping from channel to channel through
-- deliveries_waiting: the cost grows with the channels that wait, not with the deliveries and not with history.
-- The order names all columns of that index, so that no other index looks as good.
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
