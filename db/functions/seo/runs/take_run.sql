-- Gives the run to a process for some time, if it waits for one or its process is gone; otherwise returns no row.
create or replace function seo.take_run(
  p_workspace_id uuid, p_run_id uuid, p_token uuid, p_lease interval, p_now timestamptz default now()
) returns setof seo.runs
language sql as $$
  update seo.runs r
  set status = 'running', token = p_token, leased_until = p_now + p_lease, attempts = r.attempts + 1,
    started_at = coalesce(r.started_at, p_now)
  where r.workspace_id = p_workspace_id and r.id = p_run_id
    and (r.status = 'queued' or r.status = 'running' and r.leased_until < p_now)
  returning r.*
$$;
