-- When there is something to start, or to return because its channel may not send: a claimed delivery waits for its slot, and
-- then for the required distance to the last send of its channel and of its group. It is started a little early. Uses
-- deliveries_due.
create or replace function delivery.next_start_at(p_workspace_id uuid, p_now timestamptz default now()) returns timestamptz
language sql stable
set plan_cache_mode = force_custom_plan
as $$
  select min(greatest(d.not_before,
      case when c.rate_rps > 0 then c.last_started_at + delivery.start_gap(c.rate_rps) end,
      case when g.rate_rps > 0 then g.last_started_at + delivery.start_gap(g.rate_rps) end)) - delivery.start_lead()
  from (
    select d.channel_id, d.not_before from delivery.deliveries d
    where d.workspace_id = p_workspace_id and d.status = 'claimed' and d.held_at is null
    order by d.not_before limit 1000
  ) d
  join delivery.channels c on c.workspace_id = p_workspace_id and c.channel_id = d.channel_id
  left join delivery.platform_limits g using (workspace_id, platform, rate_group)
  -- A channel with all its places in use continues when one of its sends ends.
  where c.max_parallel > (
    select count(*) from delivery.deliveries s
    where s.workspace_id = p_workspace_id and s.status = 'sending' and s.channel_id = d.channel_id) + (
    select count(*) from delivery.corrections s
    where s.workspace_id = p_workspace_id and s.status = 'sending' and s.channel_id = d.channel_id)
$$;
