-- Every table with rows of workspaces, of all modules.
create or replace function workspaces.workspace_tables() returns table (name text)
language sql stable as $$
  select format('%I.%I', n.nspname, c.relname)
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_id' and not a.attisdropped
  where c.relkind in ('r', 'p') and not c.relispartition and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
  order by n.nspname <> 'workspaces', c.relname <> 'workspaces', n.nspname, c.relname
$$;
