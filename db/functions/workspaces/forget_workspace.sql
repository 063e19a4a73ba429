-- Deletes a workspace with the data of all modules, events and tokens included. Checks nothing.
create or replace function workspaces.forget_workspace(p_workspace_id uuid) returns void
language plpgsql as $$
declare
  v_table text;
begin
  -- Most rows are deleted by foreign keys; tables without one, whose rows outlive what they refer to, are deleted here.
  delete from workspaces.workspaces where workspace_id = p_workspace_id;
  for v_table in select t.name from workspaces.workspace_tables() t where t.name <> 'workspaces.workspaces' loop
    execute format('delete from %s where workspace_id = $1', v_table) using p_workspace_id;
  end loop;
end
$$;
