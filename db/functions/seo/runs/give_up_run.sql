-- Gives the run back to the queue. An attempt that ended only because its process must stop does not count.
create or replace function seo.give_up_run(
  p_workspace_id uuid, p_run_id uuid, p_token uuid, p_counts boolean
) returns boolean
language plpgsql as $$
begin
  update seo.runs r
  set status = 'queued', token = null, leased_until = null, attempts = r.attempts - case when p_counts then 0 else 1 end
  where r.workspace_id = p_workspace_id and r.id = p_run_id and r.status = 'running' and r.token = p_token;
  return found;
end
$$;
