-- Moves a reviewed run on to its publication. False if it is not being reviewed: somebody was faster.
create or replace function seo.publish_run(
  p_workspace_id uuid, p_user_id bigint, p_run_id uuid, p_connection_id int, p_now timestamptz default now()
) returns boolean
language plpgsql as $$
begin
  update seo.runs r set status = 'publishing', connection_id = coalesce(p_connection_id, r.connection_id)
  where r.workspace_id = p_workspace_id and r.user_id = p_user_id and r.id = p_run_id and r.status = 'review';
  return found;
end
$$;
