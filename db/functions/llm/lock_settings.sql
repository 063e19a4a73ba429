-- Locks a workspace's prompts and policies for one writer until the end of the transaction.
create or replace function llm.lock_settings(p_workspace_id uuid) returns void
language sql as $$
  select pg_advisory_xact_lock(hashtextextended('llm.settings ' || p_workspace_id, 0))
$$;
