-- Lets the server use a role that owns nothing: it may read and change rows and call functions, but not change or drop tables.
-- `molva migrate` calls it after every migration, so that it covers new tables.
create or replace function molva.admit_application(p_role name) returns void
language plpgsql as $$
declare
  v_schema name;
  v_table  regclass;
  v_hook   text;
begin
  for v_schema in
    select nspname from pg_namespace
    where nspowner = (select nspowner from pg_namespace where nspname = 'molva')
      and nspname not in ('public', 'information_schema') and nspname !~ '^pg_'
  loop
    execute format('grant usage on schema %I to %I', v_schema, p_role);
    execute format('grant select, insert, update, delete on all tables in schema %I to %I', v_schema, p_role);
    execute format('grant usage, select on all sequences in schema %I to %I', v_schema, p_role);
    execute format('grant execute on all functions in schema %I to %I', v_schema, p_role);
    -- Daily partitions are reached through their parent; only the default partition is also queried by its own name.
    for v_table in
      select c.oid from pg_class c
      where c.relnamespace = v_schema::regnamespace and c.relkind in ('r', 'p') and c.relrowsecurity
        and (not c.relispartition or pg_get_expr(c.relpartbound, c.oid) = 'DEFAULT')
        and not exists (
          select from pg_policy p where p.polrelid = c.oid and p_role::regrole::oid = any (p.polroles))
    loop
      execute format('create policy %I on %s to %I using (true) with check (true)', 'for_' || p_role, v_table, p_role);
    end loop;
  end loop;
  -- Only the owner may change the recorded release of the database.
  execute format('revoke insert, update, delete on molva.migrations, molva.functions from %I', p_role);
  -- A module may keep tables that only its own functions write.
  for v_hook in select molva.hooks('restrict_application') loop
    execute format('select %s($1)', v_hook) using p_role;
  end loop;
end
$$;
