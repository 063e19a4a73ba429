-- Renews the time of the process that has the run. Returns whether the person wants to stop; raises if another process has it.
create or replace function seo.keep_run(
  p_workspace_id uuid, p_run_id uuid, p_token uuid, p_lease interval, p_now timestamptz default now()
) returns boolean
language plpgsql as $$
declare
  v_cancelled boolean;
begin
  update seo.runs r set leased_until = p_now + p_lease
  where r.workspace_id = p_workspace_id and r.id = p_run_id and r.status = 'running' and r.token = p_token
  returning r.cancel_requested_at is not null into v_cancelled;
  if not found then
    raise exception 'run_is_taken' using detail = p_run_id::text;
  end if;
  return v_cancelled;
end
$$;
