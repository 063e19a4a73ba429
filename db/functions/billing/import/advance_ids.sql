-- For an import that brings its own ids: the next ones come after these and after all that are there. Runs with the rights of the
-- tables' owner: the server may not set sequences (molva.admit_application).
create or replace function billing.advance_ids(p_payments bigint default 0, p_expenses bigint default 0) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  select setval(s.name, greatest(nextval(s.name), s.beyond, s.there))
  from (values
    (pg_get_serial_sequence('billing.payments', 'id')::regclass, p_payments, (select max(id) from billing.payments)),
    (pg_get_serial_sequence('billing.token_expenses', 'id')::regclass, p_expenses, (select max(id) from billing.token_expenses))
  ) as s (name, beyond, there)
$$;
