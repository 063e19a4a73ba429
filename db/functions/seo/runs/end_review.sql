-- Ends a run that is being reviewed without a delivery: `done` when the text was taken away, `expired` when nobody came. False if it
-- is not being reviewed.
create or replace function seo.end_review(
  p_workspace_id uuid, p_run_id uuid, p_status text, p_now timestamptz default now()
) returns boolean
language plpgsql as $$
begin
  update seo.runs r set status = p_status, ended_at = p_now
  where r.workspace_id = p_workspace_id and r.id = p_run_id and r.status = 'review';
  return found;
end
$$;
