-- Every table that holds rows of workspaces, whichever module's it is.
create or replace function workspaces.workspace_tables() returns table (name text)
language sql stable as $$
  select format('%I.%I', n.nspname, c.relname)
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_id' and not a.attisdropped
  where c.relkind in ('r', 'p') and not c.relispartition and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
  order by n.nspname <> 'workspaces', c.relname <> 'workspaces', n.nspname, c.relname
$$;

-- Why a workspace may not be deleted now; empty when it may. It has to be disabled, exported within the last day, and called by its name,
-- and no module may be in the middle of something: each may bring `workspace_busy(workspace_id) returns boolean`.
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

-- Deletes a workspace that may be deleted. Answers 'deleted', or why not.
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
