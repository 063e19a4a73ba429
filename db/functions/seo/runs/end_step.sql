-- Ends a step with its result, or with an error. What interrupted attempts cost and noted stays.
create or replace function seo.end_step(
  p_workspace_id uuid, p_run_id uuid, p_token uuid, p_name text, p_step jsonb, p_now timestamptz default now()
) returns void
language plpgsql as $$
begin
  update seo.run_steps s
  set status = case when p_step ? 'error' then 'failed' else 'done' end,
    result = p_step -> 'result',
    error = p_step ->> 'error',
    notes = s.notes || coalesce(p_step -> 'notes', '[]'),
    calls = s.calls || coalesce(p_step -> 'calls', '[]'),
    cost_usd = s.cost_usd + coalesce((p_step ->> 'cost_usd')::numeric, 0),
    ended_at = p_now
  from seo.runs r
  where r.workspace_id = p_workspace_id and r.id = p_run_id and r.status = 'running' and r.token = p_token
    and s.workspace_id = r.workspace_id and s.run_id = r.id and s.round = r.round and s.name = p_name and s.status = 'running';
  if not found then
    raise exception 'run_is_taken' using detail = p_run_id::text;
  end if;
end
$$;
