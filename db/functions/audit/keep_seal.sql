-- Keeps the signed ends of all chains.
create or replace function audit.keep_seal(p_body text, p_key_id text, p_signature text, p_now timestamptz default now())
returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  insert into audit.seals (sealed_at, body, key_id, signature) values (p_now, p_body, p_key_id, p_signature)
$$;
