-- The revenue and cost of each kind of work, by day in the workspace's time zone; calls without a kind of work are a row without
-- a name.
create or replace function billing.report_operations(p_workspace_id uuid, p_from timestamptz, p_to timestamptz)
returns table (day date, operation text, works bigint, tokens_spent bigint, calls bigint, cost_usd numeric)
language sql stable as $$
  select (f.at at time zone w.timezone)::date, f.operation, coalesce(sum(f.works), 0)::bigint, coalesce(sum(f.tokens), 0)::bigint,
    coalesce(sum(f.calls), 0)::bigint, coalesce(sum(f.usd), 0)
  from workspaces.workspaces w
  cross join lateral (
    -- A refund of settled work has no kind of work of its own.
    select t.created_at as at, case when t.kind in ('settle', 'charge') then t.operation else 'refund' end as operation,
      case when t.kind in ('settle', 'charge') then 1 else 0 end as works, t.done as tokens, 0 as calls, null::numeric as usd
    from billing.transfers t
    where t.workspace_id = p_workspace_id and t.created_at >= p_from and t.created_at < p_to and t.done <> 0
    union all
    select e.created_at, e.operation, 0, 0, 1, e.cost_usd
    from billing.token_expenses e
    where e.workspace_id = p_workspace_id and e.created_at >= p_from and e.created_at < p_to and e.call_id is not null
  ) f
  where w.workspace_id = p_workspace_id
  group by 1, 2
  order by 1, 4 desc, 2
$$;
