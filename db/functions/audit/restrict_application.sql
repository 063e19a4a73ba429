-- The server's role reads the audit and adds to it through functions; it can neither change nor remove what is written.
create or replace function audit.restrict_application(p_role name) returns void
language plpgsql as $$
begin
  execute format('revoke insert, update, delete, truncate on all tables in schema audit from %I', p_role);
  execute format('revoke all on audit.pending from %I', p_role);
end
$$;
