-- The functions of a name in every module's schema: how a module asks those that stand on it without knowing them. A module that
-- has something to say brings a function of that name. Only the owner of our own schemas can add one.
create or replace function molva.hooks(p_name text) returns setof text
language sql stable as $$
  select format('%I.%I', n.nspname, p.proname)
  from pg_proc p
  join pg_namespace n on n.oid = p.pronamespace
  where p.proname = p_name and n.nspowner = (select nspowner from pg_namespace where nspname = 'molva')
    and n.nspname not in ('pg_catalog', 'information_schema', 'public')
  order by n.nspname
$$;
