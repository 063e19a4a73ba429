-- Adds a prompt file of the release: a new version if its text differs from the last one from a file. It becomes active
-- unless an operator has activated another version. Null if nothing changed.
create or replace function llm.seed_prompt(
  p_workspace_id uuid, p_name text, p_body text, p_now timestamptz default now(),
  p_task_type text default null, p_version int default 1
) returns int
language plpgsql as $$
declare
  v_last llm.prompts;
begin
  perform llm.lock_settings(p_workspace_id);
  select * into v_last from llm.prompts p
  where p.workspace_id = p_workspace_id and p.name = p_name and p.source = 'file'
  order by p.version desc limit 1;
  if v_last.body = p_body then
    return null;
  end if;
  return llm.save_prompt(p_workspace_id, p_name, p_body, 'file',
    coalesce(v_last.active, not exists (
      select from llm.prompts p where p.workspace_id = p_workspace_id and p.name = p_name and p.active)), p_now, p_task_type, p_version);
end
$$;
