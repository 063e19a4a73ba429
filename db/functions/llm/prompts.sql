-- Versions of prompts. One version of each may be active: it is the one that models are asked by.

-- Until the end of the transaction, one writer per workspace's prompts and policies.
create or replace function llm.lock_settings(p_workspace_id uuid) returns void
language sql as $$
  select pg_advisory_xact_lock(hashtextextended('llm.settings ' || p_workspace_id, 0))
$$;

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
  -- Two statements, the old one off first: the index that allows one active version is checked row by row.
  update llm.prompts p set active = false
  where p.workspace_id = p_workspace_id and p.name = p_name and p.active and p.version <> p_version;
  update llm.prompts p set active = true
  where p.workspace_id = p_workspace_id and p.name = p_name and p.version = p_version and not p.active;
  return true;
end
$$;

-- Brings a file of the release: a new version when its text has changed since the last one from a file. It becomes active
-- unless an operator has chosen another version than the file's last. Null when nothing changed.
create or replace function llm.seed_prompt(
  p_workspace_id uuid, p_name text, p_body text, p_now timestamptz default now()
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
      select from llm.prompts p where p.workspace_id = p_workspace_id and p.name = p_name and p.active)), p_now);
end
$$;
