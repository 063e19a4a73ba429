-- Ends work that was not done: all its holds are returned, regenerations included. Returns the amount; a repeat returns the same.
create or replace function billing.return_run(
  p_workspace_id uuid, p_run text, p_reason text default null, p_now timestamptz default now()
) returns int
language sql as $$
  select coalesce(sum(billing.return_hold(p_workspace_id, p_run, s.step, p_reason, p_now)), 0)::int
  from (
    select h.step from billing.holds h where h.workspace_id = p_workspace_id and h.run = p_run order by h.step
  ) s
$$;
