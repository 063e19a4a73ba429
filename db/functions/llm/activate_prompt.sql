-- Makes a version the active one; false when there is no such version, and then nothing changes.
create or replace function llm.activate_prompt(p_workspace_id uuid, p_name text, p_version int) returns boolean
language plpgsql as $$
begin
  perform llm.lock_settings(p_workspace_id);
  if not exists (
    select from llm.prompts p where p.workspace_id = p_workspace_id and p.name = p_name and p.version = p_version
  ) then
    return false;
  end if;
  -- Two statements, the old version off first: the unique index on active versions is checked row by row.
  update llm.prompts p set active = false
  where p.workspace_id = p_workspace_id and p.name = p_name and p.active and p.version <> p_version;
  update llm.prompts p set active = true
  where p.workspace_id = p_workspace_id and p.name = p_name and p.version = p_version and not p.active;
  return true;
end
$$;
