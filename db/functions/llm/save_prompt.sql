-- Stores a new version under the next number, or under `p_version` if that is higher: a file may name its version.
create or replace function llm.save_prompt(
  p_workspace_id uuid, p_name text, p_body text, p_source text, p_activate boolean, p_now timestamptz default now(),
  p_task_type text default null, p_version int default 1
) returns int
language plpgsql as $$
declare
  v_version int;
begin
  perform llm.lock_settings(p_workspace_id);
  insert into llm.prompts (workspace_id, name, version, body, sha256, source, created_at, task_type)
  select p_workspace_id, p_name, greatest(coalesce(max(p.version), 0) + 1, p_version), p_body,
    encode(sha256(convert_to(p_body, 'UTF8')), 'hex'), p_source, p_now, p_task_type
  from llm.prompts p where p.workspace_id = p_workspace_id and p.name = p_name
  returning version into v_version;
  if p_activate then
    perform llm.activate_prompt(p_workspace_id, p_name, v_version);
  end if;
  return v_version;
end
$$;
