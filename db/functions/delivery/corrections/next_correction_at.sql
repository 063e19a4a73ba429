-- When the workspace has its next correction to start; null if only an event can bring one. A correction that waits for its
-- post to be sent, or for a place in its channel, is checked again soon, because the end of that send does not announce it.
-- Each is looked up by its key, whatever statistics the planner has.
create or replace function delivery.next_correction_at(p_workspace_id uuid, p_now timestamptz default now()) returns timestamptz
language sql stable
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
  select min(greatest(x.due_at, c.opens_at, case
    when d.status <> 'sent' then greatest(p_now + interval '1 second', d.due_at)
    when coalesce(s.now_sending, 0) >= c.max_parallel then p_now + interval '50 milliseconds' end))
  from (
    select c.delivery_id, c.channel_id, c.due_at from delivery.corrections c
    where c.workspace_id = p_workspace_id and c.status in ('queued', 'retry')
    order by c.due_at, c.correction_id limit 1000
  ) x
  cross join lateral (
    select d.status, d.due_at from delivery.deliveries d
    where d.workspace_id = p_workspace_id and d.delivery_id = x.delivery_id offset 0
  ) d
  cross join lateral (
    select c.max_parallel, greatest(c.paused_until, g.cooldown_until,
      case when c.rate_rps > 0 then c.last_started_at + delivery.start_gap(c.rate_rps) - delivery.correction_lead() end,
      case when g.rate_rps > 0 then g.last_started_at + delivery.start_gap(g.rate_rps) - delivery.correction_lead() end) as opens_at
    from delivery.channels c
    left join delivery.platform_limits g
      on g.workspace_id = p_workspace_id and g.platform = c.platform and g.rate_group = c.rate_group
    where c.workspace_id = p_workspace_id and c.channel_id = x.channel_id and c.enabled offset 0
  ) c
  left join delivery.sending_now(p_workspace_id) s on s.channel_id = x.channel_id
  where exists (select from workspaces.workspaces w where w.workspace_id = p_workspace_id and w.status = 'active')
$$;
