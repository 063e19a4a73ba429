-- After an import that brought its own ids: the next ones come after them. Runs with the rights of the tables' owner: the server may
-- not set sequences (molva.admit_application).
create or replace function seo.advance_ids() returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_table text;
begin
  for v_table in
    select format('seo.%I', c.relname)
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'id' and a.attidentity <> ''
    where c.relnamespace = 'seo'::regnamespace and c.relkind = 'r'
  loop
    execute format(
      'select setval(pg_get_serial_sequence(%1$L, ''id''), greatest(nextval(pg_get_serial_sequence(%1$L, ''id'')), (select max(id) from %1$s)))',
      v_table);
  end loop;
end
$$;
