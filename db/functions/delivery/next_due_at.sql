-- When the dispatcher has something to do next, as far as the tables know now; null when nothing waits.
create or replace function delivery.next_due_at(p_now timestamptz default now()) returns timestamptz
language sql stable as $$
  select min(due) from (
    select least(
      (select min(d.not_before) from delivery.deliveries d
       where d.workspace_id = w.workspace_id and d.status = 'claimed' and d.held_at is null),
      (select min(greatest(d.not_before, d.next_retry_at, c.next_allowed_at - interval '2 seconds', c.paused_until,
                           g.cooldown_until, g.next_allowed_at - interval '2 seconds'))
       from delivery.deliveries d
       join delivery.channels c using (workspace_id, channel_id)
       left join delivery.platform_limits g using (workspace_id, platform, rate_group)
       where d.workspace_id = w.workspace_id and d.status in ('queued', 'retry') and d.held_at is null and c.enabled)
    ) as due
    from delivery.workspaces w where w.status = 'active'
  ) as dues
$$;
