-- Runs with holds older than this that no product works on any more, the oldest first. Uses holds_under_way.
create or replace function billing.lost_runs(
  p_after interval default '1 hour', p_limit int default 100, p_workspace_id uuid default null, p_now timestamptz default now()
) returns table (workspace_id uuid, run text, tokens bigint, since timestamptz)
language sql stable as $$
  with old as materialized (
    select h.workspace_id, h.run, sum(h.amount) as tokens, min(h.created_at) as since
    from billing.holds h
    where h.state = 'held' and h.created_at <= p_now - p_after and (p_workspace_id is null or h.workspace_id = p_workspace_id)
    group by 1, 2
  ),
  alive as materialized (
    select a.workspace_id, r.run
    from (select o.workspace_id, array_agg(o.run) as runs from old o group by 1) a
    cross join lateral billing.runs_in_work(a.workspace_id, a.runs, p_now) as r (run)
  )
  select o.workspace_id, o.run, o.tokens, o.since
  from old o
  where not exists (select from alive a where a.workspace_id = o.workspace_id and a.run = o.run)
  order by o.since, o.run
  limit p_limit
$$;
