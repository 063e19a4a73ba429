-- The functions of one name in the schemas of all modules. By them a module calls the modules above it without knowing them: a
-- module that has an answer defines a function of that name. Only the owner of our schemas can add one.
create or replace function molva.hooks(p_name text) returns setof text
language sql stable as $$
  select format('%I.%I', n.nspname, p.proname)
  from pg_proc p
  join pg_namespace n on n.oid = p.pronamespace
  where p.proname = p_name and n.nspowner = (select nspowner from pg_namespace where nspname = 'molva')
    and n.nspname not in ('pg_catalog', 'information_schema', 'public')
  order by n.nspname
$$;
