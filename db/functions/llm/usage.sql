-- Calls and their cost between two moments, grouped by day (UTC), policy, model or user, or by several of them. A running or
-- expired call has no requests; it is counted among `calls` of every grouping but by model.
create or replace function llm.usage(
  p_workspace_id uuid, p_from timestamptz, p_to timestamptz, p_by text[], p_policy text default null, p_user_id text default null
) returns table (
  day date, policy text, provider text, model text, user_id text,
  calls bigint, failed bigint, requests bigint, prompt_tokens bigint, completion_tokens bigint, cached_tokens bigint,
  cost_usd numeric, estimated_usd numeric, mean_latency_ms int
)
language sql stable as $$
  select
    case when 'day' = any (p_by) then (c.started_at at time zone 'UTC')::date end as day,
    case when 'policy' = any (p_by) then c.policy end as policy,
    case when 'model' = any (p_by) then r.provider end as provider,
    case when 'model' = any (p_by) then r.model end as model,
    case when 'user' = any (p_by) then c.user_id end as user_id,
    count(distinct c.call_id), count(distinct c.call_id) filter (where c.status in ('failed', 'expired')), count(r.number),
    coalesce(sum(r.prompt_tokens), 0), coalesce(sum(r.completion_tokens), 0), coalesce(sum(r.cached_tokens), 0),
    coalesce(sum(r.cost_usd), 0), coalesce(sum(r.cost_usd) filter (where r.estimated), 0), avg(r.latency_ms)::int
  from llm.calls c
  left join llm.requests r using (workspace_id, call_id)
  where c.workspace_id = p_workspace_id and c.started_at >= p_from and c.started_at < p_to
    and (p_policy is null or c.policy = p_policy) and (p_user_id is null or c.user_id = p_user_id)
    and ('model' <> all (p_by) or r.number is not null)
  group by 1, 2, 3, 4, 5
  order by 1, 2, 3, 4, 5
$$;
