-- Removes entries older than the retention from the beginning of each chain, as far as no younger one comes before them. What was
-- removed last stays in the chain's row, from which the rest is still proved. Old seals go too, but for the newest. Returns the chains
-- that became shorter.
--
-- A caller may keep entries for longer than audit.retention says, never for less, and cannot pretend that the time has passed: it is the
-- server's own, or an earlier one.
create or replace function audit.purge(p_days int, p_now timestamptz default now())
returns table (chain_id uuid, through_seq bigint, hash text, entries bigint)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  v_days   int := greatest(p_days, (select r.days from audit.retention r));
  v_before timestamptz := least(p_now, now()) - greatest(make_interval(days => v_days), audit.shortest_retention());
  v_chain  audit.chains;
  v_last   audit.entries;
begin
  -- In the order in which entries are chained; the purge itself is noted in the installation's chain, so that one comes first.
  perform from audit.chains c where c.chain_id = audit.installation() for update;
  for v_chain in select * from audit.chains c where c.last_seq > c.purged_seq order by c.chain_id loop
    select e.* into v_last from audit.entries e
    where e.chain_id = v_chain.chain_id and e.seq < coalesce(
      (select min(young.seq) from audit.entries young where young.chain_id = v_chain.chain_id and young.at >= v_before),
      v_chain.last_seq + 1)
    order by e.seq desc limit 1;
    continue when v_last.seq is null;
    update audit.chains c set purged_seq = v_last.seq, purged_hash = v_last.hash where c.chain_id = v_chain.chain_id;
    delete from audit.entries e where e.chain_id = v_chain.chain_id and e.seq <= v_last.seq;
    chain_id := v_chain.chain_id;
    through_seq := v_last.seq;
    hash := v_last.hash;
    entries := v_last.seq - v_chain.purged_seq;
    return next;
  end loop;
  delete from audit.seals s
  where s.sealed_at < v_before and s.seal_id < (select max(newest.seal_id) from audit.seals newest);
end
$$;
