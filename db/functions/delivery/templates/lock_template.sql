-- Allows one writer per template until the end of the transaction.
create or replace function delivery.lock_template(p_workspace_id uuid, p_template_id text) returns void
language sql as $$
  select pg_advisory_xact_lock(hashtextextended('delivery.templates ' || p_workspace_id || ' ' || p_template_id, 0))
$$;
