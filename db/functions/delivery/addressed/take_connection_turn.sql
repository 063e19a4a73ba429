-- Counts one more new connection of a user; returns null, or when the next one may be added. The user's row is locked until
-- the end of the transaction, so that concurrent calls are counted one after the other; a refused one is not counted.
create or replace function delivery.take_connection_turn(
  p_workspace_id uuid, p_product text, p_user text, p_now timestamptz default now()
) returns timestamptz
language plpgsql as $$
declare
  c_most   constant int := 10;
  c_within constant interval := interval '1 hour';
  v_recent timestamptz[];
begin
  insert into delivery.connection_pace as p (workspace_id, product, user_id, added)
  values (p_workspace_id, p_product, p_user, '{}')
  on conflict (workspace_id, product, user_id) do update set added = p.added;
  select coalesce(array_agg(t order by t), '{}') into v_recent
  from delivery.connection_pace p cross join lateral unnest(p.added) as t
  where p.workspace_id = p_workspace_id and p.product = p_product and p.user_id = p_user and t > p_now - c_within;
  if cardinality(v_recent) >= c_most then
    return v_recent[cardinality(v_recent) - c_most + 1] + c_within;
  end if;
  update delivery.connection_pace p set added = v_recent || p_now
  where p.workspace_id = p_workspace_id and p.product = p_product and p.user_id = p_user;
  return null;
end
$$;
