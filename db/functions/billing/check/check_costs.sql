-- Finds differences between the costs of provider calls and those in the history, over the last weeks. Calls of the last hour may
-- not be in the history yet. Calls for a person without an account here belong to another product.
create or replace function billing.check_costs(
  p_workspace_id uuid, p_now timestamptz default now(), p_days int default 14
) returns table (finding text, subject text, message text)
language sql stable as $$
  with calls as materialized (
    -- A day more than the period: a call may have begun before it and been recorded in it.
    select c.call_id, c.user_id, round(c.cost_usd, 6) as cost_usd
    from billing.calls_of_providers(p_workspace_id, p_now - make_interval(days => p_days + 1), p_now) c
  ),
  noted as materialized (
    select e.call_id, e.operation_type, e.cost_usd, e.created_at
    from billing.token_expenses e
    where e.workspace_id = p_workspace_id and e.call_id is not null and e.created_at > p_now - make_interval(days => p_days)
  ),
  due as (
    select c.call_id from billing.calls_of_providers(
      p_workspace_id, p_now - make_interval(days => p_days), p_now - interval '1 hour') c
    join billing.users u on u.workspace_id = p_workspace_id and u.id::text = c.user_id
    where c.cost_usd > 0
  )
  select 'cost_differs', n.call_id, format('call %s cost $%s, the history says $%s', n.call_id, c.cost_usd, n.cost_usd)
  from noted n join calls c using (call_id)
  where n.cost_usd <> c.cost_usd
  union all
  select 'call_not_noted', d.call_id, format('call %s is not in the history of costs', d.call_id)
  from due d
  where not exists (select from billing.token_expenses e where e.workspace_id = p_workspace_id and e.call_id = d.call_id)
  union all
  select 'call_unknown', n.call_id, format('the history has a cost of call %s, which nobody made', n.call_id)
  from noted n
  where n.operation_type in ('api_openrouter', 'api_openai', 'api_compatible')
    -- Made by the system that was imported.
    and n.call_id not like 'import/%'
    and not exists (select from calls c where c.call_id = n.call_id)
$$;
