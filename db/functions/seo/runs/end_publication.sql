-- Ends a run when its delivery has ended. False if it has ended before.
create or replace function seo.end_publication(
  p_workspace_id uuid, p_run_id uuid, p_result jsonb, p_error jsonb, p_now timestamptz default now()
) returns boolean
language plpgsql as $$
begin
  update seo.runs r
  set status = case when p_error is null then 'done' else 'failed' end, ended_at = p_now, error = p_error,
    result = coalesce(r.result, '{}') || coalesce(p_result, '{}')
  where r.workspace_id = p_workspace_id and r.id = p_run_id and r.status = 'publishing';
  return found;
end
$$;
