-- Deletes a workspace if it may be deleted. Returns 'deleted', or why not.
create or replace function workspaces.delete_workspace(
  p_workspace_id uuid, p_name text, p_now timestamptz default now()
) returns text
language plpgsql as $$
declare
  v_refusal text;
begin
  perform from workspaces.workspaces where workspace_id = p_workspace_id for update;
  v_refusal := workspaces.workspace_deletion_refusal(p_workspace_id, p_name, p_now);
  if v_refusal <> '' then
    return v_refusal;
  end if;
  perform workspaces.forget_workspace(p_workspace_id);
  return 'deleted';
end
$$;
