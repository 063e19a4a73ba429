-- Notes what somebody did, or was refused; null for what concerns the installation itself. The entry gets its place in the chain when
-- the transaction commits, and none if it rolls back.
--
-- The server's role may call this function but write to no table of this schema.
create or replace function audit.note(
  p_workspace_id uuid, p_actor_kind text, p_actor_id text, p_action text, p_subject_kind text, p_subject_id text,
  p_result text, p_address text, p_meta jsonb, p_now timestamptz default now()
) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  insert into audit.pending (
    chain_id, at, actor_kind, actor_id, action, subject_kind, subject_id, result, address, meta)
  values (
    coalesce(p_workspace_id, audit.installation()), p_now, p_actor_kind, left(p_actor_id, 200), p_action, p_subject_kind,
    left(p_subject_id, 300), p_result, left(p_address, 100), coalesce(p_meta, '{}'))
$$;
