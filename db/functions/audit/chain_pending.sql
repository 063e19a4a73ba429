-- Chains the entries of a transaction at its commit. The first row's trigger does it for all of them, chain after chain in the order
-- of their ids: two transactions that write to the same chains cannot wait for each other. A chain is locked for the commit only, so a
-- long transaction keeps nobody waiting, and nothing else is locked after it.
create or replace function audit.chain_pending() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_noted audit.pending;
  v_chain audit.chains;
  v_entry audit.entries;
begin
  for v_noted in
    select * from audit.pending where txid = pg_current_xact_id() order by chain_id, place
  loop
    if v_chain.chain_id is distinct from v_noted.chain_id then
      insert into audit.chains (chain_id) values (v_noted.chain_id) on conflict do nothing;
      select * into v_chain from audit.chains where chain_id = v_noted.chain_id for update;
    end if;
    v_entry := row(
      v_noted.chain_id, v_chain.last_seq + 1, v_noted.at, v_noted.actor_kind, v_noted.actor_id, v_noted.action,
      v_noted.subject_kind, v_noted.subject_id, v_noted.result, v_noted.address, v_noted.meta, v_chain.last_hash, null);
    v_entry.hash := audit.line_hash(v_entry);
    insert into audit.entries values (v_entry.*);
    update audit.chains set last_seq = v_entry.seq, last_hash = v_entry.hash
    where chain_id = v_entry.chain_id returning * into v_chain;
  end loop;
  delete from audit.pending where txid = pg_current_xact_id();
  return null;
end
$$;
