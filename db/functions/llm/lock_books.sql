create or replace function llm.lock_books(p_workspace_id uuid) returns void
language sql as $$
  select pg_advisory_xact_lock(hashtextextended('llm.spending ' || p_workspace_id, 0))
$$;
