-- Every chain, also one whose row was removed while entries of it are left.
create or replace function audit.known_chains() returns setof uuid
language sql stable as $$
  with recursive entered as (
    (select e.chain_id from audit.entries e order by e.chain_id limit 1)
    union all
    -- Jumps along the index from chain to chain.
    select (select e.chain_id from audit.entries e where e.chain_id > entered.chain_id order by e.chain_id limit 1)
    from entered where entered.chain_id is not null
  )
  select chain_id from audit.chains
  union
  select chain_id from entered where chain_id is not null
$$;
