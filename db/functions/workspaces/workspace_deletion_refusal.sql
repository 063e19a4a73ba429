-- Why a workspace may not be deleted now; empty if it may. It must be disabled, exported within the last day and confirmed by its
-- name, and no module may be busy with it: each may define `workspace_busy(workspace_id) returns boolean`.
create or replace function workspaces.workspace_deletion_refusal(
  p_workspace_id uuid, p_name text, p_now timestamptz default now()
) returns text
language plpgsql stable as $$
declare
  v_refusal text;
  v_hook    text;
  v_busy    boolean;
begin
  select case
      when w.name is distinct from p_name then 'other_name'
      when w.status <> 'disabled' then 'not_disabled'
      when w.exported_at is null or w.exported_at < p_now - interval '1 day' then 'not_exported'
      else ''
    end into v_refusal
  from workspaces.workspaces w where w.workspace_id = p_workspace_id;
  if v_refusal is null then
    return 'not_found';
  end if;
  if v_refusal <> '' then
    return v_refusal;
  end if;
  for v_hook in select molva.hooks('workspace_busy') loop
    execute format('select %s($1)', v_hook) into v_busy using p_workspace_id;
    if v_busy then
      return 'busy';
    end if;
  end loop;
  return '';
end
$$;
