-- When the dispatcher has something to do next in a workspace, as far as the tables know now; null when nothing waits.
-- Asked only before sleeping. Hops through the channels that wait; uses deliveries_waiting and deliveries_due.
create or replace function delivery.next_due_at(p_workspace_id uuid, p_now timestamptz default now()) returns timestamptz
language sql stable
set plan_cache_mode = force_custom_plan
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
    select greatest(h.due_at, c.paused_until, g.cooldown_until,
      case when c.rate_rps > 0 then c.next_allowed_at - interval '2 seconds' end,
      case when g.rate_rps > 0 then g.next_allowed_at - interval '2 seconds' end) as at
    from hop h
    join delivery.channels c on c.workspace_id = p_workspace_id and c.channel_id = h.channel_id
    left join delivery.platform_limits g using (workspace_id, platform, rate_group)
    where c.enabled
  ),
  -- A claimed delivery waits for its slot, and then for the distance to the channel's last send; it is started a little early.
  claimed as (
    select min(greatest(d.not_before, case when c.rate_rps > 0 then c.last_started_at + delivery.start_gap(c.rate_rps) end))
      - delivery.start_lead() as at
    from (
      select d.channel_id, d.not_before from delivery.deliveries d
      where d.workspace_id = p_workspace_id and d.status = 'claimed' and d.held_at is null
      order by d.not_before limit 1000
    ) d
    join delivery.channels c on c.workspace_id = p_workspace_id and c.channel_id = d.channel_id
    -- A full channel goes on when one of its sends ends, which wakes the dispatcher by itself.
    where c.max_parallel > (
      select count(*) from delivery.deliveries s
      where s.workspace_id = p_workspace_id and s.status = 'sending' and s.channel_id = d.channel_id)
  )
  select min(at) from (
    select min(at) as at from waiting
    union all
    select at from claimed
    where exists (select from delivery.workspaces w where w.workspace_id = p_workspace_id and w.status = 'active')
  ) as due
$$;
