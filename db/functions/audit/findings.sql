-- Where a chain does not hold together, in order; no rows if it does. `p_newest` looks at so many entries at its end only.
--
-- missing: entries seq..until_seq are gone. changed: the entry is not what was hashed. unlinked: it does not continue the entry
-- before it, so one of both was replaced; not reported after one that is changed, whose hash tells nothing. added: it is beyond the recorded end of the chain, or its chain was never begun.
create or replace function audit.findings(p_chain_id uuid, p_newest bigint default null)
returns table (seq bigint, until_seq bigint, finding text)
language plpgsql stable as $$
#variable_conflict use_column
declare
  v_chain audit.chains;
  v_after bigint;
  v_hash  text;
  v_begin record;
begin
  select * into v_chain from audit.chains where chain_id = p_chain_id;
  v_chain.chain_id := p_chain_id;
  v_chain.last_seq := coalesce(v_chain.last_seq, 0);
  v_after := coalesce(v_chain.purged_seq, 0);
  v_hash := coalesce(v_chain.purged_hash, repeat('0', 64));
  if v_chain.last_seq - p_newest > v_after then
    -- Begins from the entry before them; if that one is gone, the whole chain is looked at.
    select e.seq, e.hash into v_begin from audit.entries e
    where e.chain_id = p_chain_id and e.seq = v_chain.last_seq - p_newest;
    v_after := coalesce(v_begin.seq, v_after);
    v_hash := coalesce(v_begin.hash, v_hash);
  end if;

  return query
  with hashed as (
    select e.seq, e.prev_hash, e.hash, e.hash = audit.line_hash(e) as fits
    from audit.entries e
    where e.chain_id = p_chain_id and e.seq > v_after
  ),
  entry as (
    select h.*,
      lag(h.seq, 1, v_after) over by_seq as before_seq,
      lag(h.hash, 1, v_hash) over by_seq as before_hash,
      lag(h.fits, 1, true) over by_seq as before_fits
    from hashed h
    window by_seq as (order by h.seq)
  ),
  ending as (
    select coalesce(max(e.seq), v_after) as seq from entry e
  )
  select f.seq, f.until_seq, f.finding from (
    select e.before_seq + 1 as seq, e.seq - 1 as until_seq, 'missing' as finding from entry e where e.seq > e.before_seq + 1
    union all
    select e.seq, e.seq, 'changed' from entry e where not e.fits
    union all
    select e.seq, e.seq, 'unlinked' from entry e
    where e.prev_hash <> e.before_hash and e.seq = e.before_seq + 1 and e.fits and e.before_fits
    union all
    select e.seq + 1, v_chain.last_seq, 'missing' from ending e where e.seq < v_chain.last_seq
    union all
    select e.seq, e.seq, 'added' from entry e where e.seq > v_chain.last_seq
    union all
    select e.seq, e.seq, 'changed' from entry e
    where e.seq = v_chain.last_seq and e.hash <> v_chain.last_hash and e.fits
    union all
    -- An entry below the anchor should have been removed with the others.
    select e.seq, e.seq, 'added' from audit.entries e where e.chain_id = p_chain_id and e.seq <= v_chain.purged_seq
  ) f
  order by f.seq, f.finding;
end
$$;
