-- Entries of a chain after a place, as lines of an export: what was hashed, and the hash as its last member.
create or replace function audit.export_lines(p_chain_id uuid, p_after bigint, p_through bigint, p_limit int)
returns table (seq bigint, line text)
language sql stable as $$
  select e.seq, left(audit.line(e), -1) || format(',"hash":"%s"}', e.hash)
  from audit.entries e
  where e.chain_id = p_chain_id and e.seq > p_after and e.seq <= p_through
  order by e.seq
  limit p_limit
$$;
