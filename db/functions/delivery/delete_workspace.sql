-- Every table that holds rows of workspaces, whichever module's it is.
create or replace function delivery.workspace_tables() returns table (name text)
language sql stable as $$
  select format('%I.%I', n.nspname, c.relname)
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_id' and not a.attisdropped
  where c.relkind in ('r', 'p') and not c.relispartition and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
  order by n.nspname <> 'delivery', c.relname <> 'workspaces', n.nspname, c.relname
$$;

-- Why a workspace may not be deleted now; empty when it may. It has to be disabled, exported within the last day, and called by its name;
-- what is being sent this moment is never cut off.
create or replace function delivery.workspace_deletion_refusal(
  p_workspace_id uuid, p_name text, p_now timestamptz default now()
) returns text
language sql stable as $$
  select coalesce((
    select case
      when w.name is distinct from p_name then 'other_name'
      when w.status <> 'disabled' then 'not_disabled'
      when w.exported_at is null or w.exported_at < p_now - interval '1 day' then 'not_exported'
      when exists (
        select from delivery.deliveries d where d.workspace_id = w.workspace_id and d.status = 'sending') then 'sending'
      else ''
    end
    from delivery.workspaces w where w.workspace_id = p_workspace_id), 'not_found')
$$;

-- Takes away a workspace with everything that any module keeps of it, events and tokens included. Nothing is asked.
create or replace function delivery.forget_workspace(p_workspace_id uuid) returns void
language plpgsql as $$
declare
  v_table text;
begin
  -- Most goes with the workspace; what refers to nothing, because it outlives what it tells of, is told.
  delete from delivery.workspaces where workspace_id = p_workspace_id;
  for v_table in select t.name from delivery.workspace_tables() t where t.name <> 'delivery.workspaces' loop
    execute format('delete from %s where workspace_id = $1', v_table) using p_workspace_id;
  end loop;
end
$$;

-- Deletes a workspace that may be deleted. Answers 'deleted', or why not.
create or replace function delivery.delete_workspace(
  p_workspace_id uuid, p_name text, p_now timestamptz default now()
) returns text
language plpgsql as $$
declare
  v_refusal text;
begin
  perform from delivery.workspaces where workspace_id = p_workspace_id for update;
  v_refusal := delivery.workspace_deletion_refusal(p_workspace_id, p_name, p_now);
  if v_refusal <> '' then
    return v_refusal;
  end if;
  perform delivery.forget_workspace(p_workspace_id);
  return 'deleted';
end
$$;
