-- What was written stays as it was. Retention removes the beginning of a chain, after it has moved the chain's anchor past it, and
-- old seals; nothing that is younger than the shortest retention by the server's own clock.
create or replace function audit.refuse_change() returns trigger
language plpgsql as $$
begin
  if tg_op = 'DELETE' and tg_table_name = 'entries' then
    if old.at < now() - audit.shortest_retention()
      and old.seq <= (select purged_seq from audit.chains where chain_id = old.chain_id) then
      return old;
    end if;
  elsif tg_op = 'DELETE' and tg_table_name = 'seals' then
    if old.sealed_at < now() - audit.shortest_retention()
      and exists (select from audit.seals where seal_id > old.seal_id) then
      return old;
    end if;
  end if;
  raise exception 'the audit is only added to: % of audit.% is refused', lower(tg_op), tg_table_name
    using errcode = 'restrict_violation';
end
$$;
