-- Where all workspaces share a cap, reservations of all of them wait for each other too. Always taken after the lock of a
-- workspace's books, and the last lock of its transaction.
create or replace function llm.lock_installation() returns void
language sql as $$
  select pg_advisory_xact_lock(hashtextextended('llm.spending of the installation', 0))
$$;
