-- A workspace's events by action: in the last day, and since counting began.
create or replace function delivery.health_events(p_workspace_id uuid, p_now timestamptz default now())
returns table (action text, day bigint, total bigint)
language sql stable as $$
  with edge as materialized (
    select greatest(r.rolled_until, p_now - interval '1 day') as at
    from (select p_workspace_id) as w (workspace_id)
    left join delivery.event_rollups r using (workspace_id)
  )
  select counts.action, sum(counts.day)::bigint, sum(counts.total)::bigint
  from (
    select m.action, m.count as day, 0 as total from delivery.event_minutes m
    where m.workspace_id = p_workspace_id and m.minute >= p_now - interval '1 day' and m.minute < (select at from edge)
    union all
    select t.action, 0, t.count from delivery.event_totals t where t.workspace_id = p_workspace_id
    union all
    select e.action, count(*), count(*) from workspaces.events e
    where e.workspace_id = p_workspace_id and e.ts >= (select at from edge)
    group by 1
  ) as counts
  group by 1
$$;
