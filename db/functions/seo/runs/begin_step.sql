-- Begins a step: `done` with the result if it was done before, in this round or, with `p_shared`, in an earlier one. Otherwise the
-- step is written as running, again if its process was interrupted.
create or replace function seo.begin_step(
  p_workspace_id uuid, p_run_id uuid, p_token uuid, p_name text, p_shared boolean, p_stage text, p_now timestamptz default now()
) returns table (done boolean, result jsonb, cancelled boolean)
language plpgsql as $$
declare
  v_run seo.runs;
begin
  update seo.runs r set stage = coalesce(p_stage, r.stage)
  where r.workspace_id = p_workspace_id and r.id = p_run_id and r.status = 'running' and r.token = p_token
  returning r.* into v_run;
  if not found then
    raise exception 'run_is_taken' using detail = p_run_id::text;
  end if;
  cancelled := v_run.cancel_requested_at is not null;

  select true, s.result into done, result from seo.run_steps s
  where s.workspace_id = p_workspace_id and s.run_id = p_run_id and s.name = p_name and s.status = 'done'
    and (s.round = v_run.round or p_shared and s.round < v_run.round)
  order by s.round desc limit 1;
  if found then
    return next;
    return;
  end if;

  done := false;
  if not cancelled then
    insert into seo.run_steps (workspace_id, run_id, round, name, started_at)
    values (p_workspace_id, p_run_id, v_run.round, p_name, p_now)
    on conflict (workspace_id, run_id, round, name) do update
      set status = 'running', started_at = p_now, ended_at = null, error = null;
  end if;
  return next;
end
$$;
