-- The revenue and cost of each kind of work between two moments; calls without a kind of work are a row without a name.
create or replace function billing.report_operations(p_workspace_id uuid, p_from timestamptz, p_to timestamptz)
returns table (operation text, works bigint, tokens_spent bigint, calls bigint, cost_usd numeric)
language sql stable as $$
  select f.operation, coalesce(sum(f.works), 0)::bigint, coalesce(sum(f.tokens), 0)::bigint, coalesce(sum(f.calls), 0)::bigint,
    coalesce(sum(f.usd), 0)
  from (
    -- A refund of settled work has no kind of work of its own.
    select case when t.kind in ('settle', 'charge') then t.operation else 'refund' end as operation,
      case when t.kind in ('settle', 'charge') then 1 else 0 end as works, t.done as tokens, 0 as calls, null::numeric as usd
    from billing.transfers t
    where t.workspace_id = p_workspace_id and t.created_at >= p_from and t.created_at < p_to and t.done <> 0
    union all
    select e.operation, 0, 0, 1, e.cost_usd
    from billing.token_expenses e
    where e.workspace_id = p_workspace_id and e.created_at >= p_from and e.created_at < p_to and e.call_id is not null
  ) f
  group by 1
  order by 3 desc, 1
$$;
