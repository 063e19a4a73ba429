-- Takes away a workspace with everything that any module keeps of it, events and tokens included. Nothing is asked.
create or replace function workspaces.forget_workspace(p_workspace_id uuid) returns void
language plpgsql as $$
declare
  v_table text;
begin
  -- Most goes with the workspace; what refers to nothing, because it outlives what it tells of, is told.
  delete from workspaces.workspaces where workspace_id = p_workspace_id;
  for v_table in select t.name from workspaces.workspace_tables() t where t.name <> 'workspaces.workspaces' loop
    execute format('delete from %s where workspace_id = $1', v_table) using p_workspace_id;
  end loop;
end
$$;
