-- When there is something to claim. A loose index scan over deliveries_waiting.
create or replace function delivery.next_claim_at(p_workspace_id uuid, p_now timestamptz default now()) returns timestamptz
language sql stable
set plan_cache_mode = force_custom_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
as $$
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
  ),
  waiting as (
    select greatest(h.due_at, f.claimable_from) as at
    from hop h
    join delivery.channels c on c.workspace_id = p_workspace_id and c.channel_id = h.channel_id
    left join delivery.platform_limits g using (workspace_id, platform, rate_group)
    cross join lateral (select delivery.claimable_from(c, g)) as f (claimable_from)
    where f.claimable_from is not null
  )
  select min(at) from waiting
  where isfinite(at)
    and exists (select from workspaces.workspaces w where w.workspace_id = p_workspace_id and w.status = 'active')
$$;
