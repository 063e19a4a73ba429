-- Stores a new version under the next number.
create or replace function llm.save_prompt(
  p_workspace_id uuid, p_name text, p_body text, p_source text, p_activate boolean, p_now timestamptz default now()
) returns int
language plpgsql as $$
declare
  v_version int;
begin
  perform llm.lock_settings(p_workspace_id);
  insert into llm.prompts (workspace_id, name, version, body, sha256, source, created_at)
  select p_workspace_id, p_name, coalesce(max(p.version), 0) + 1, p_body,
    encode(sha256(convert_to(p_body, 'UTF8')), 'hex'), p_source, p_now
  from llm.prompts p where p.workspace_id = p_workspace_id and p.name = p_name
  returning version into v_version;
  if p_activate then
    perform llm.activate_prompt(p_workspace_id, p_name, v_version);
  end if;
  return v_version;
end
$$;
