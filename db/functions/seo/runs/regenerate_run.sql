-- Begins the next round of a run whose text is being reviewed. False if it is not: somebody was faster.
create or replace function seo.regenerate_run(
  p_workspace_id uuid, p_user_id bigint, p_run_id uuid, p_now timestamptz default now()
) returns boolean
language plpgsql as $$
begin
  update seo.runs r set status = 'queued', round = r.round + 1, attempts = 0, reviewed_at = null, stage = null
  where r.workspace_id = p_workspace_id and r.user_id = p_user_id and r.id = p_run_id and r.status = 'review';
  return found;
end
$$;
