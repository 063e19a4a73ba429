-- Activates a version; false if there is no such version, and then nothing changes.
create or replace function delivery.activate_template(p_workspace_id uuid, p_template_id text, p_version int) returns boolean
language plpgsql as $$
begin
  perform delivery.lock_template(p_workspace_id, p_template_id);
  if not exists (
    select from delivery.templates t
    where t.workspace_id = p_workspace_id and t.template_id = p_template_id and t.version = p_version
  ) then
    return false;
  end if;
  -- Two statements, the old version first: the unique index that allows one active version is checked row by row.
  update delivery.templates t set active = false
  where t.workspace_id = p_workspace_id and t.template_id = p_template_id and t.active and t.version <> p_version;
  update delivery.templates t set active = true
  where t.workspace_id = p_workspace_id and t.template_id = p_template_id and t.version = p_version and not t.active;
  return true;
end
$$;
