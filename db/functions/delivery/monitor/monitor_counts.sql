-- How often each of them happened since then. A subquery for each action, because with a join the planner might read the
-- whole day instead of using events_by_action.
create or replace function delivery.monitor_counts(p_workspace_id uuid, p_since timestamptz)
returns table (reason text, count bigint)
language sql stable as $$
  select r.reason, sum((
    select count(*) from workspaces.events e
    where e.workspace_id = p_workspace_id and e.action = r.action and e.ts > p_since))::bigint
  from delivery.monitor_reasons() r
  group by 1
  union all
  select 'page_faults', count(*) from workspaces.events e
  where e.workspace_id = p_workspace_id and e.action = 'page_checked' and e.ts > p_since and e.result = 'error'
    and not delivery.is_of_connection(e)
  union all
  select 'orphan_events', count(*) from delivery.orphan_events o
  where o.workspace_id = p_workspace_id and o.found_at > p_since
$$;
